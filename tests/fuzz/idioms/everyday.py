"""Idioms of everyday programs: what is said of numbers, lists that may be empty, sets, records, roots of what was not chosen."""

from __future__ import annotations

__all__ = ["IDIOMS"]

# A line "== name: inputs -> output" begins an idiom, as in `arrays`.
IDIOMS = """
== said: v -> v
{t} = "values " + str({a}[{i}]) + " of " + repr(len({a}))
if {a}[{i}] > 90.0:
    print({t})
{o} = {a} * {k}
== messages: v -> s
{t} = []
for {u} in {a}:
    if {u} > {k}:
        {t}.append("large: " + format({u}, ".3f"))
{o} = np.sum({a} ** 2) + len({t}) * {a}[{i}]
== message of a helper: s -> s
def {t}(x):
    return x * {k}, "twice " + str(x)
{u}, {w} = {t}({a})
if {u} > 90.0:
    raise ValueError({w})
{o} = {u} ** 2
== named by their text: v -> s
{t} = {{}}
for {u} in range(len({a})):
    {t}["x" + str({u})] = {a}[{u}] * {k}
{o} = {t}["x0"] * {t}["x1"]
== rows if any: v -> s
{t} = []
for {u} in {a}:
    if {u} > {k}:
        {t}.append([{u}, {u} * {u}])
{w} = np.array({t})
{o} = np.sum({w}[:, 1] * {w}[:, 0]) if {w}.ndim == 2 else np.sum({a} ** 2)
== at least two dimensions: v -> s
{t} = np.atleast_2d(np.array([{a} * {u} for {u} in {a} if {u} > {k}]))
{o} = np.sum({t} ** 2) * {t}.shape[0] + np.sum({a})
== cycles: v -> s
{t}, {u} = [], []
for {w} in {a}:
    {u} += [{w}]
    while len({u}) > 2 and ({u}[-2] - {u}[-3]) * ({u}[-1] - {u}[-2]) < 0:
        {t} += [[{u}[-3], {u}[-2]]]
        del {u}[-3]
{t} = np.array({t})
{o} = np.sum(np.abs(np.diff({t}, axis=1))) if len({t}) else {u}[-1] * {k}
== root of what is left: s -> s
{o} = np.sqrt(max({a} - 9.0, 0.0)) + {a} * {k}
== root of the smaller: s s -> s
{o} = np.sqrt(abs(min({a} + 9.0, 0.0))) + {b} * {k}
== angle within bounds: s -> s
{o} = np.arccos(max(-1.0, min(1.0, {a} + 9.0))) + {a} ** 2
== root beside a mask: v -> v
{o} = np.sqrt(np.select([{a} > 9.0], [{a}], 0.0)) + {k} * {a}
== distinct: v -> s
{t}, {u} = np.unique(np.concatenate([{a}, {a}]), return_counts=True)
{o} = np.sum({t} ** 2 * {u}) * {k}
== groups by rounded values: v -> s
{t}, {u} = np.unique(np.round({a}), return_inverse=True)
{o} = sum(np.sum({a}[{u} == {w}]) ** 2 for {w} in range(len({t})))
== axes that are left: m -> s
{t} = set(range({a}.ndim)) - {{0}}
{o} = {a}
for {u} in {t}:
    {o} = np.sum({o} * {k}, axis={u})
{o} = np.sum({o} ** 2)
== options filtered: v -> v
{t} = {{"scale": {k}, "shift": {l}, "other": 3.0}}
for {u} in set({t}) - {{"scale", "shift"}}:
    {t}.pop({u})
{o} = {a} * {t}["scale"] + sum({t}.values())
== keys in common: v -> s
{t} = {{"a": {a}[{i}], "b": {a}[{j}]}}
{u} = {{"b": {k}, "c": 2.0}}
{o} = sum({t}[w] * {u}[w] for w in sorted({t}.keys() & {u}.keys())) + {a}[0]
== fields of a record [Record]: v -> s
{u} = Record({a}[{i}], {a}[{j}] * {k})
{o} = sum(getattr({u}, f.name) ** 2 for f in dataclasses.fields({u}) if f.name != "name")
== record as a dict [Record]: v -> s
{u} = dataclasses.asdict(Record({a}[{i}], [{a} * {k}, {a}[{j}]]))
{o} = {u}["low"] * {u}["high"][1] + np.sum({u}["high"][0])
== written into a number: s s -> s
{t} = np.sin({a}) * {k}
{u} = {t} < 0
try:
    {t}[{u}] = {b} * {t}
except TypeError:
    {t} = {t} * {b} if {u} else {t}
{o} = {t} + {a}
== functions by a flag: v -> v
def {t}(smooth):
    return (np.tanh, np.cos) if smooth else (np.sin, np.exp)
{u}, {w} = {t}({k} > 0)
{o} = {u}({a}) + {w}(-{a} * {a})
== scratch: v -> s
{t} = {a} * {k}
{o} = np.median({t}, overwrite_input=True) ** 2
== missing rows skipped: m -> s
{t} = np.array([row for row in {a} if np.sum(row) > {k}])
{o} = np.sum({t}.mean(axis=0) ** 2) if {t}.size else np.sum({a})
"""
