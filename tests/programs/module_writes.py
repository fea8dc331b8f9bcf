"""Functions that change containers of the module, and read them again."""

from __future__ import annotations

import bisect
import heapq
import operator

import numpy as np

from .module_containers import A, B, C, D, G, N, O, Q, S


def helper_sum():
    return sum(G)


def helper_push(v):
    G.append(v)


def summed(x):
    G.append(2.0)
    r = sum(G) * x
    G.pop()
    return r


def gone_over(x):
    G.append(2.0)
    r = 0.0 * x
    for g in G:
        r = r + g * x
    G.pop()
    return r


def length_twice(x):
    n = len(G)
    G.append(2.0)
    r = len(G) * x + n * x
    G.pop()
    return r


def made_an_array(x):
    G.append(2.0)
    r = np.sum(np.array(G)) * x
    G.pop()
    return r


def last_entry(x):
    G.append(2.0)
    r = G[-1] * x
    G.pop()
    return r


def entry_before_and_after(x):
    a = G[-1]
    G.append(2.0)
    r = (G[-1] + a) * x
    G.pop()
    return r


def inserted(x):
    G.insert(0, 5.0)
    r = G[0] * x
    G.pop(0)
    return r


def values_of_a_dict(x):
    D.update(b=2.0)
    r = sum(D.values()) * x
    D.pop("b")
    return r


def default_set(x):
    D.setdefault("b", 2.0)
    r = D["b"] * x
    D.pop("b")
    return r


def set_added(x):
    S.add(2.0)
    r = sum(S) * x
    S.discard(2.0)
    return r


def deque_summed(x):
    Q.append(2.0)
    r = sum(Q) * x
    Q.pop()
    return r


def deque_left(x):
    Q.appendleft(2.0)
    r = Q[0] * x
    Q.popleft()
    return r


def through_helpers(x):
    helper_push(2.0)
    r = helper_sum() * x
    G.pop()
    return r


def heap_pushed(x):
    heapq.heappush(G, 0.5)
    r = G[0] * x
    heapq.heappop(G)
    return r


def insorted(x):
    bisect.insort(G, 3.0)
    r = max(G) * x
    G.pop()
    return r


def nested(x):
    N[0].append(2.0)
    r = sum(N[0]) * x
    N[0].pop()
    return r


def nested_by_a_name(x):
    row = N[0]
    row.append(2.0)
    r = sum(row) * x
    row.pop()
    return r


def bytes_appended(x):
    B.append(3)
    r = sum(B) * x
    B.pop()
    return r


def array_appended(x):
    A.append(3.0)
    r = sum(A) * x
    A.pop()
    return r


def counter_item(x):
    C.update(a=2)
    r = C["a"] * x
    C.subtract(a=2)
    return r


def ordered_moved(x):
    O.update(b=2.0)
    O.move_to_end("a")
    r = list(O.values())[0] * x
    O.pop("b")
    return r


def added_by_operator(x):
    operator.iadd(G, [2.0])
    r = sum(G) * x
    G.pop()
    return r


def set_by_operator(x):
    operator.setitem(G, 0, 7.0)
    r = G[0] * x
    operator.setitem(G, 0, 1.0)
    return r


def iterated_twice(x):
    it = iter(G)
    a = next(it)
    G.append(2.0)
    r = (next(it) + a) * x
    G.pop()
    return r


def view_of_a_dict(x):
    v = D.values()
    D.update(b=2.0)
    r = sum(v) * x
    D.pop("b")
    return r


def grown_in_a_loop(x):
    r = 0.0 * x
    for k in range(3):
        G.append(float(k))
        r = r + sum(G) * x
    for k in range(3):
        G.pop()
    return r


def grown_in_a_branch(x):
    if x > 0:
        G.append(2.0)
    r = sum(G) * x
    if x > 0:
        G.pop()
    return r


def asked_for_membership(x):
    G.append(2.0)
    r = x * 2.0 if 2.0 in G else x
    G.pop()
    return r


def dict_get(x):
    D.update(a=4.0)
    r = D.get("a") * x
    D.update(a=1.0)
    return r


def dict_get_and_item(x):
    D.update(a=4.0)
    r = D.get("a", 0.0) * x + D["a"] * x
    D.update(a=1.0)
    return r


def asked_for_truth(x):
    G.append(2.0)
    r = (x * 3.0 if G else x) * len(G)
    G.clear()
    G.append(1.0)
    return r


def frozen_in_a_tuple(x):
    G.append(2.0)
    t = tuple(G)
    G.pop()
    return sum(t) * x


def copied(x):
    G.append(2.0)
    c = G.copy()
    G.pop()
    return sum(c) * x


def sliced(x):
    G.append(2.0)
    c = G[:]
    G.pop()
    return sum(c) * x


def comprehended(x):
    G.append(2.0)
    c = [g * x for g in G]
    G.pop()
    return sum(c)


def displayed(x):
    G.append(2.0)
    c = [*G]
    G.pop()
    return sum(c) * x


def dotted(x):
    G.append(2.0)
    c = np.dot(G, [1.0] * len(G))
    G.pop()
    return c * x


def broadcast(x):
    G.append(2.0)
    c = np.ones(2) * G
    G.pop()
    return np.sum(c * x)


def broadcast_active(x):
    G.append(2.0)
    c = np.ones(2) * x
    r = np.sum(c * G)
    G.pop()
    return r


def polynomial(x):
    G.append(2.0)
    r = np.polyval(G, x)
    G.pop()
    return r


def interpolated(x):
    G.append(2.0)
    r = np.interp(x, [0.0, 1.0], G)
    G.pop()
    return r


def default_of_a_parameter(x, H=[1.0]):
    H.append(2.0)
    r = sum(H) * x
    H.pop()
    return r


PROGRAMS = {
    name: f
    for name, f in list(globals().items())
    if callable(f) and getattr(f, "__code__", None) and f.__code__.co_varnames[:1] == ("x",)
}
