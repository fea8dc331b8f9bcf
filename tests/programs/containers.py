"""Programs of one float about containers: who sees a write, lists of run-time length."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["PROGRAMS"]

PROGRAMS: dict[str, Any] = {}


def program(fn: Any) -> Any:
    PROGRAMS[fn.__name__] = fn
    return fn


@program
def appended_in_loop(x):
    out = []
    for k in range(4):
        out.append(x**k)
    return np.sum(np.stack(out)) + out[-1] * len(out) + out[1]


@program
def appended_to_something(x):
    out = [x, 2.0]
    for k in range(3):
        out.append(x * k)
    y = 0.0
    for v in out:
        y = y + v * v
    return y


@program
def appended_sometimes(x):
    out = [x]
    for k in range(4):
        if k > 1:
            out.append(out[-1] * x)
    return out[-1] * len(out)


@program
def appended_until(x):
    out = []
    y = x
    while True:
        y = y * 0.5
        if y < 0.1:
            break
        out.append(y)
    return sum(out) * y


@program
def appended_then_left(x):
    out = []
    for k in range(9):
        out.append(x * k)
        if k > 3:
            break
    return sum(out) * out[-1]


@program
def lists_of_lists(x):
    rows = []
    for i in range(3):
        row = []
        for j in range(2):
            row.append(x * i + j)
        rows.append(row)
    return np.sum(np.array(rows) ** 2)


@program
def tuples_in_list(x):
    path = []
    y = x
    for k in range(3):
        y = y * x + k
        path.append((y, y * y))
    total = 0.0
    for a, b in path:
        total = total + a * b
    return total


@program
def two_names_of_a_dict(x):
    p = {"w": x, "b": 2.0}
    q = p
    for _ in range(3):
        p["w"] = p["w"] * x
    return q["w"] + q["b"]


@program
def two_names_in_a_branch(x):
    a = [x]
    b = a
    if x > 0:
        b.append(x * x)
    return a[-1]


@program
def new_dict_each_time(x):
    s = {"h": x, "c": 1.0}
    for _ in range(3):
        s = {"h": s["h"] * x, "c": s["c"] + s["h"]}
    return s["h"] + s["c"]


@program
def copy_then_write(x):
    p = {"w": x, "b": x * x}
    for _ in range(3):
        p = dict(p)
        p["w"] -= 0.1 * p["b"]
    return p["w"]


@program
def updated_functionally(x):
    p = {"w": x, "b": 2.0}
    q = {**p, "w": p["w"] * 2}
    r = dict(p, b=x)
    s = p | {"c": x * x}
    return q["w"] * r["b"] + s["c"] + q["b"]


@program
def list_methods(x):
    a = [x, 2.0]
    a.insert(1, x * x)
    a.extend([x, 3.0])
    last = a.pop()
    a.reverse()
    a += [x]
    return a[0] * a[1] + last * a[-1] + len(a) * a[2] + [1, 2, 1].count(1)


@program
def list_methods_at_run_time(x):
    a = []
    for k in range(5):
        a.append(x * (k + 1))
    a.pop()
    a.pop(0)
    a.insert(1, x * x)
    a.extend([x, 2.0])
    a.reverse()
    b = a[1:] + [x] + a  # noqa: RUF005
    b[0] = x * x * x
    return sum(b) * a[0] + b[2] * len(b)


@program
def written_at_run_time(x):
    layers = [x, 2.0 * x, 3.0]
    for k in range(3):
        layers[k] = layers[k] * x
    for k in range(2):
        layers[k + 1] += layers[k]
    return layers[0] + layers[2]


@program
def zipped_rows(x):
    rows = [(x, 1.0), (2.0, x)]
    a, b = zip(*rows, strict=True)
    return a[0] * b[1] + a[1]


@program
def dict_loops(x):
    p = {"a": x, "b": x * x}
    y = 0.0
    for k, v in p.items():
        y = y + v * len(k)
        p[k] = v * 2
    for k in p:
        y = y + p[k]
    return y + sum(p.values())


def remember(store, v):
    store["last"] = v
    store["all"].append(v * v)


def swapped(a, b):
    return b, a


@program
def written_by_a_callee(x):
    store = {"last": 0.0, "all": []}
    everything = store["all"]
    for k in range(3):
        remember(store, x * k)
    remember(store, x)
    return store["last"] * sum(everything)


@program
def identity_through_a_call(x):
    a, b = [x], [2.0]
    c, d = swapped(a, b)
    c.append(x * x)
    d[0] = 3.0 * x
    return b[1] * a[0] * len(b)


@program
def same_list_twice(x):
    a = [x]

    def both(p, q):
        p.append(x * x)
        return q[-1]

    return both(a, a) * a[-1]


def both_written(p, q):
    p.append(p[0] * q[0])
    return q[-1]


@program
def same_list_twice_in_a_call(x):
    a = [x]
    return both_written(a, a) * a[-1] + both_written([x], a)


@program
def chosen_container(x):
    p, q = {"w": x}, {"w": 2.0}
    r = p if x > 0 else q
    return r["w"] * p["w"]


@program
def chosen_new_container(x):
    if x > 0:
        p = {"w": x}
    else:
        p = {"w": 2.0}
    p["w"] = p["w"] * x
    return p["w"]


@program
def nested_write(x):
    model = {"layers": [{"w": x, "b": 1.0}, {"w": 2.0, "b": x}]}
    for layer in model["layers"]:
        layer["w"] = layer["w"] * x
    first = model["layers"][0]
    first["b"] = 5.0 * x
    return model["layers"][0]["b"] * model["layers"][1]["w"]


@program
def early_return(x):
    out = []
    for k in range(5):
        out.append(x * k)
        if out[-1] > 2.0:
            return out[-1] * len(out)
    return sum(out)
