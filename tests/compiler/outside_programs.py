"""Functions that change containers of the module, and read them again."""

from __future__ import annotations

import array
import bisect
import collections
import heapq
import json
import operator

import numpy as np

G = [1.0]
D = {"a": 1.0}
S = {1.0}
Q = collections.deque([1.0])
B = bytearray(b"\x01")
A = array.array("d", [1.0])
N = [[1.0]]
C = collections.Counter(a=1)
O = collections.OrderedDict(a=1.0)
BUFFER = np.ones(3)
VIEW = BUFFER[1:]
LOG: list[float] = []


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


def with_a_list():
    K = [1.0]

    def closed_over(x):
        K.append(2.0)
        r = sum(K) * x
        K.pop()
        return r

    return closed_over


closed_over = with_a_list()


def method_by_a_name(x):
    push = G.append
    push(2.0)
    r = sum(G) * x
    G.pop()
    return r


def method_of_the_class(x):
    list.append(G, 2.0)
    r = sum(G) * x
    list.pop(G)
    return r


def index_asked(x):
    r = G.index(1.0) + 1
    G.insert(0, 4.0)
    s = G.index(1.0) + 1
    G.pop(0)
    return r * x + 10 * s * x


def only_read(x):
    r = G.count(1.0)
    return r * x * D.get("a")


def reversed_twice(x):
    G.reverse()
    r = G[0] * x
    G.reverse()
    return r


def sorted_there(x):
    G.append(0.5)
    G.sort()
    r = G[0] * x
    G.remove(0.5)
    return r


def stays(v):
    try:
        G.append(v)
    finally:
        pass


def helper_with_finally(x):
    stays(2.0)
    r = sum(G) * x
    G.pop()
    return r


class Rec:
    def __init__(self):
        self.items = [1.0]

    def push(self, v):
        self.items.append(v)

    def total(self):
        return sum(self.items)


R = Rec()


def method_of_an_object(x):
    R.push(2.0)
    r = R.total() * x
    R.items.pop()
    return r


def attribute_of_an_object(x):
    R.items.append(2.0)
    r = sum(R.items) * x
    R.items.pop()
    return r


def row_by_an_index(x):
    i = len(N) - 1
    row = N[i]
    row.append(2.0)
    r = sum(row) * x
    row.pop()
    return r


def row_changed_by_another_name(x):
    i = len(N) - 1
    row = N[i]
    N[0].append(2.0)
    r = sum(row) * x
    row.pop()
    return r


def row_broadcast(x):
    i = len(N) - 1
    row = N[i]
    N[0].append(2.0)
    r = np.sum(row * np.ones(2) * x)
    N[0].pop()
    return r


def changed_in_try(x):
    try:
        G.append(2.0)
        r = sum(G) * x
    except ValueError:
        r = x
    G.pop()
    return r


def read_in_try(x):
    try:
        r = sum(G) * x * x
    except ValueError:
        r = x
    G.append(3.0)
    s = x * len(G)
    G.pop()
    return r * s


def while_it_is_short(x):
    r = 0.0 * x
    while len(G) < 4:
        G.append(1.0)
        r = r + x * len(G)
    G.clear()
    G.append(1.0)
    return r


def multiplied_in_a_loop(x):
    y = np.sin(x)
    for k in range(3):
        y = y * x * sum(G)
        G.append(0.5)
    for k in range(3):
        G.pop()
    return y


def local_heap(x, L=None):
    L = [3.0, 1.0, 2.0]
    heapq.heapify(L)
    heapq.heappush(L, 0.5)
    return L[0] * x + sum(L) * x


def local_insort(x):
    L = [3.0, 1.0, 2.0]
    bisect.insort(L, 0.1)
    return L[0] * x


def written_as_text(x):
    s = json.dumps(D)
    return D["a"] * x + len(s) * x


def logged(x):
    LOG.append("start")
    y = np.sin(x)
    LOG.append(len(LOG))
    return y * len(LOG)


def array_before_and_after(x):
    a = np.array(G)
    G.append(1.0)
    b = np.array(G)
    G.pop()
    return np.sum(a * x) + np.sum(b * x)


def read_in_an_inner_function(x):
    G.append(2.0)

    def inner(y):
        return y * sum(G)

    r = inner(x)
    G.pop()
    return r


def generator_over_it(x):
    g = (v for v in G)
    G.append(2.0)
    r = sum(g) * x
    G.pop()
    return r


def mapped(x):
    r = sum(map(lambda v: v * x, G))
    G.append(2.0)
    r += sum(map(lambda v: v * x, G))
    G.pop()
    return r


def greatest(x):
    m = max(G)
    G.append(5.0)
    m2 = max(G, default=0)
    G.pop()
    return (m + m2) * x


def unpacked(x):
    a, *rest = G
    G.append(2.0)
    b, c = G
    G.pop()
    return (a + b + c) * x


def extended_and_cut(x):
    G.extend([2.0, 3.0])
    i = G.index(3.0)
    r = x**i
    del G[1:]
    return r


def rotated(x):
    Q.append(2.0)
    Q.rotate(1)
    r = Q[0] * x
    Q.popleft()
    return r


def with_a_helper():
    st = [0.0]

    def bump():
        st.append(1.0)

    def bumped_by_a_closure(x):
        bump()
        r = x * len(st)
        st.pop()
        return r

    return bumped_by_a_closure


bumped_by_a_closure = with_a_helper()


def default_that_collects(x, acc=[]):
    acc.append(1.0)
    y = x * len(acc)
    acc.clear()
    return y


def attribute_set(x):
    R.z = 3.0
    r = R.z * x
    return r


def set_updated(x):
    S.update({2.0, 3.0})
    r = len(S) * x
    S.intersection_update({1.0})
    return r


def counter_updated(x):
    y = x * C["a"]
    C.update({"a": 3})
    y = y + x * C["a"]
    C.clear()
    C.update(a=1)
    return y


def reset() -> None:
    """Every container as it was."""
    G[:], N[:], B[:] = [1.0], [[1.0]], b"\x01"
    A[:] = array.array("d", [1.0])
    for filled in (D, O):
        filled.clear()
        filled["a"] = 1.0
    C.clear()
    C.update(a=1)
    Q.clear()
    Q.append(1.0)
    S.clear()
    S.add(1.0)
    BUFFER[:] = 1.0
    LOG.clear()
    R.items[:] = [1.0]


PROGRAMS = {
    name: f
    for name, f in list(globals().items())
    if callable(f) and getattr(f, "__code__", None) and f.__code__.co_varnames[:1] == ("x",)
}
