"""More functions that change containers of the module: by other names, in branches and loops, through objects."""

from __future__ import annotations

import bisect
import heapq
import json

import numpy as np

from .module_containers import LOG, C, D, G, N, Q, S


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


PROGRAMS = {
    name: f
    for name, f in list(globals().items())
    if callable(f) and getattr(f, "__code__", None) and f.__code__.co_varnames[:1] == ("x",)
}
