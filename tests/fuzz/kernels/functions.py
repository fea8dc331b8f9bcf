"""What programs are made of: every function and method that kernels take, dtypes, views that are written to.

`test_functions` wants each function that has a handler in one of these tables, or in those of ``tables``.
"""

from __future__ import annotations

import numpy as np

from .tables import COMPLEX, LIBRARIES
from .templates import program_of

__all__ = ["DTYPES", "FUNCTIONS", "VIEWS", "dtype_program", "function_program", "result_program", "view_program"]  # fmt: skip

MORE = {"c": 0.5, "f": 0.4, "b": 0.4, "p": 0.1}  # how often such an argument is there
ARITHMETIC = "add|subtract|multiply|maximum|minimum|hypot|arctan2|logaddexp|fmax|fmin|copysign"
COMPARED = "greater|greater_equal|less|less_equal|equal|not_equal"
REDUCED = "sum|mean|prod|max|min|std|var"
FUNCTIONS = [
    # reductions
    f"s: {{=}} = np.«{REDUCED}|median|ptp»(«{{v}}|{{m}}|0.5 * {{c}}»)", f"v: {{=}} = np.«{REDUCED}»({{m}}, axis=«0|1|-1|-2»)",
    f"v: {{=}} = {{m}}.«{REDUCED}»(«0|axis=1|axis=-1»)", f"m: {{=}} = {{m}} - np.«{REDUCED}»({{m}}, axis=«0|1|-1», keepdims=True)",
    f"m: {{=}} = np.«{REDUCED}»({{c}}, axis=«0|-3»)", f"v: {{=}} = 0.5 * np.«{REDUCED}»({{c}}, axis=«(0, 1)|(0, 2)|(1, 0)|(-1, 0)»)",
    f"c: {{=}} = {{c}} - 0.5 * np.«{REDUCED}»({{c}}, axis=«1|2|(1, 2)|(0, 2)|None», keepdims=True)",
    "v: {=} = np.«std|var»({m}, axis=«0|1», ddof=1)", "s: {=} = {m}.«std|var»(ddof=«0|1»)", "s: {=} = np.«max|min»({v}, initial=«0.3|-1.0»)",
    "s: {=} = np.sum({v}«, initial=0.5|, where={b}|[{b}]»)", "s: {=} = np.mean({v}, where={v} > -9.0)", "s: {=} = 0.1 * {s} * np.«argmax|argmin»(«{v}|{m}»)",
    "v: {=} = {v}[np.«argmax|argmin»({m}, axis=«0|1»)]", "v: {=} = {v}[{m}.«argmax|argmin»(axis=1)]", "b: {=} = np.«any|all»({m} > «0.0|-1.0|0.5», axis=«0|1|-1»)",
    "v: {=} = {v} * np.«any|all»({b})", "s: {=} = {s} if {b}.«any|all»() else 0.5 * {s}", "s: {=} = {s} * «any|all»([{v}[0] > 0.1, {v}[1] < 0.3])",
    # one after the other
    "v: {=} = np.«cumsum|cumprod»(0.5 * {v})", "v: {=} = (0.5 * {v}).«cumsum|cumprod»()", "m: {=} = np.«cumsum|cumprod»(0.5 * {m}, axis=«0|1|-1»)",
    "v: {=} = np.cumsum({m})[«:n|n:2 * n|::n»]", "m: {=} = np.«add|multiply|maximum|minimum».accumulate(0.5 * {m}, axis=«0|1»)", "v: {=} = np.«add|multiply|maximum|minimum».accumulate(0.5 * {v})",
    "v: {=} = np.«add|multiply|maximum|minimum».reduce(0.5 * {m}, axis=«0|1|-1»)", "s: {=} = np.«add|multiply|maximum|minimum».reduce(0.5 * {v})",
    f"m: {{=}} = np.«{ARITHMETIC}|floor_divide|remainder».outer({{v}}, 1.5 + np.abs({{v}}))", "m: {=} = 0.5 * np.«divide|power».outer(1.0 + np.abs({v}), 1.0 + {v} ** 2)",
    f"m: {{=}} = {{m}} * np.«{COMPARED}».outer({{v}}, {{v}})", "m: {=} = {m} * np.«logical_and|logical_or».outer({b}, {b})", "v: {=} = {v}.copy();;np.«add|subtract|multiply».at({=}, i, «0.1 * {v}|0.5»)",
    # element by element
    *(f"{kind}: {{=}} = 0.5 * np.«sin|cos|tanh|sinh|cosh|exp|expm1|exp2|arctan|arcsinh|square|cbrt|absolute|fabs|abs|negative|positive|sign|floor|ceil|rint|trunc|tan|sinc|deg2rad»(0.5 * {{{kind}}})" for kind in "vmcs"),
    "v: {=} = np.«log|log1p|log2|log10|sqrt|reciprocal|arccosh»(1.5 + np.abs({v}))", "v: {=} = np.«arcsin|arccos|arctanh»(0.9 * np.tanh({v}))",
    f"v: {{=}} = np.«{ARITHMETIC}|remainder|floor_divide|divide|fmod|logaddexp2»({{v}}, 1.5 + np.abs({{v}}))", f"m: {{=}} = np.«{ARITHMETIC}»({{m}}, «{{v}}|{{s}}|0.4|{{m}}.T»)",
    "v: {=} = np.power(1.0 + np.abs({v}), «2|0.5|-1.5|{v}|{s}|3|0|1»)", "v: {=} = (1.5 + np.abs({v})) ** «0|1|2|3|-1|-2|0.5|1.5|{v}|{s}»", "v: {=} = {v} ** «0|1|2|3|4»",
    "v: {=} = {v} + 0.1 * ({v} «//|%» «0.7|(1.0 + np.abs({v}))|-2.0»)", f"b: {{=}} = np.«{COMPARED}»({{v}}, «{{v}}|0.0|{{s}}»)", "b: {=} = np.«isnan|isinf|isfinite|signbit»({v})",
    "b: {=} = np.logical_«and|or|xor»({b}, «{b}|{v}|{v} > 0.1»)", "b: {=} = np.logical_not(«{b}|{v}»)", "v: {=} = np.clip({v}, «None, 0.5|-0.5, None|-{s}, {s}|{v} - 0.1, {v} + 0.1»)", "v: {=} = {v}.clip(«-0.5, 0.5|max=0.2»)",
    "v: {=} = {v} + 0.1 * np.«round|around»({v}«|, 1|, 0|, 2»)", "v: {=} = {v}.round(1) + {v}", "v: {=} = np.where(«{b}|{v} > 0.1», {v}, «{s}|{v}|0.0|1»)", "s: {=} = np.where({s} > 0.1, {s}, {v}[0])",
    # products
    "c: {=} = np.matmul({c}, «{c}|{m}») / n", "c: {=} = «{c}|{m}» @ {c} / n", "v: {=} = ({c} @ {v})[«0|-1|k»] / n", "v: {=} = ({v} @ {c})[«0|1»] / n", "m: {=} = np.«dot|inner|matmul»({m}, {m}) / n",
    "v: {=} = np.«dot|matmul|inner»({m}, {v}) / n", "v: {=} = np.«dot|matmul»({v}, {m}) / n", "s: {=} = np.«dot|inner|vdot|matmul»({v}, {v}) / n", "s: {=} = np.vdot({m}, {m}) / n", "m: {=} = {m}.dot({m}) / n",
    "m: {=} = np.tensordot({c}, {c}, axes=([0, 1], [0, 1])) / n", "v: {=} = np.tensordot({m}, {v}, axes=«1|(0, 0)|([1], [0])») / n", "s: {=} = np.tensordot({m}, {m}) / n", "m: {=} = np.outer({v}, {v})", "m: {=} = np.multiply.outer({v}, {v})",
    "m: {=} = np.einsum('«ij,jk->ik|ij,kj->ik|ji,jk->ik|ij,ij->ij|ij,ji->ij»', {m}, {m}) / n", "v: {=} = np.einsum('«ij,j->i|ij,i->j|ii,i->i|ij,j»', {m}, {v}) / n", "v: {=} = np.einsum('«ii->i|ij->i|ij->j»', {m})", "s: {=} = np.einsum('«ii|ij->|ii->»', {m}) / n",
    "m: {=} = np.einsum('«ij->ji|ij»', {m})", "m: {=} = np.einsum('«i,j->ij|j,i»', {v}, {v})", "s: {=} = np.einsum('«i,i|i,i->|i,j->»', {v}, {v}) / n", "m: {=} = np.einsum('«kij,kij->ij|kij,kjl->il|kij,klj->il»', {c}, {c}) / n", "c: {=} = np.einsum('«...ij,...jk->...ik|...ij,...kj->...ik»', {c}, {c}) / n",
    "s: {=} = np.einsum('i,ij,j', {v}, {m}, {v}) / n", "s: {=} = np.trace({m}«|, offset=1|, -1») / n", "s: {=} = {m}.trace() / n", "s: {=} = np.sum(np.cross({v}[:3], np.cos({v}[:3])) * {v}[:3])", "v: {=} = np.cross({m}[:, :3], {m}[:, :3] ** 2)[:, 1]",
    # shapes
    "m: {=} = np.transpose({c}, («0, 2, 1|0, 1, 2»))[«0|-1»]", "m: {=} = {c}.transpose(«1, 2, 0|2, 1, 0|1, 2, 0»)[:, :, «0|-1»]", "m: {=} = np.moveaxis({c}, «0, 2|0, -1|-3, 2»)[:, :, k % 2]", "m: {=} = np.swapaxes({c}, 1, 2)[0]", "m: {=} = {m}.«transpose()|T|swapaxes(0, 1)»",
    "m: {=} = {c}.reshape(2 * n, n)[«:n|n:|::2|::-2»]", "m: {=} = np.reshape({c}, (-1, n))[1:n + 1]", "v: {=} = {m}.«ravel|flatten»()[«:n|::n|::n + 1»]", "v: {=} = np.ravel({m})[«n:2 * n|-n:»]", "m: {=} = np.expand_dims({v}, «0|1|-1») * {m}", "v: {=} = np.squeeze({m}[«:1|-1:»])",
    "v: {=} = {m}[:, :1].squeeze(«|1|axis=1»)", "m: {=} = {v}[:, None] + {v}[None]", "m: {=} = np.broadcast_to({v}, (n, n)) * {m}", "m: {=} = np.flip({m}«|, 0|, 1|, (0, 1)|, axis=-1»)", "v: {=} = np.flip({v})", "m: {=} = np.«triu|tril»({m}«|, 1|, -1|, k=1»)",
    "m: {=} = np.diag({v})", "m: {=} = np.diag({v}[1:], «1|-1»)", "v: {=} = np.«diag|diagonal»({m})", "v: {=} = {m}.diagonal() + {v}", "v: {=} = np.diagonal({c}, axis1=1, axis2=2)[«0|1»]", "m: {=} = np.roll({m}, «1|-1|n + 2», axis=«0|1»)", "v: {=} = np.roll({v}, «1|-2|n + 1|0»)",
    "v: {=} = np.pad({v}, «1|(1, 1)|(2, 0)|1, mode='edge'|1, mode='wrap'|1, mode='reflect'|1, constant_values=0.5»)[:n]", "m: {=} = np.pad({m}, «((1, 1), (0, 0))|((1, 0), (0, 1))|1»)[:n, :n]", "v: {=} = np.diff({v}, «prepend|append»=0.0)", "s: {=} = np.sum(np.diff({v}, «1|2») ** 2) / n", "s: {=} = np.mean(np.diff({m}, axis=«0|1») ** 2)",
    "m: {=} = {m} * np.indices({m}.shape)[«0|1|k % 2»]", "m: i{#}, j{#} = np.«mgrid|ogrid»[0 : {m}.shape[0], : {m}.shape[1]];;{=} = {m} * np.cos(0.3 * i{#} + j{#})",
    "m: {=} = np.«flipud|fliplr|rot90|matrix_transpose»({m})", "m: {=} = np.rot90({m}, «2|-1|3»)", "m: {=} = np.rollaxis({c}, «1|2|-1»)[:, k % 2]", "m: {=} = np.«atleast_2d|atleast_1d»({v}) + {m}", "m: {=} = np.dstack([{m}, {m}.T])[:, :, «0|1»]", "v: {=} = np.append({v}, {s})[1:]", "m: {=} = np.append({m}, {m}, axis=«0|1»)[:n, :n]",
    "v: {=} = np.trace({c}, «0|1», 1, 2).sum() * {v}", "v: {=} = np.diagonal({c}, 0, 1, 2)[0]", "v: {=} = np.gradient({v}«|, 0.5»)", "m: {=} = np.gradient({m}, axis=«0|1»)", "m: {=} = np.pad({m}, ((1, 0), (0, 1)), mode=«'edge'|'reflect'|'symmetric'|'wrap'»)[:n, :n]", "m: {=} = np.diff({m}, n=2, axis=0, «prepend|append»={m}[:2])",
    "m: {=} = np.cumprod({m}, axis=«0|1|-1»)", "m: {=} = np.take_along_axis({m}, i[:, None] * np.ones((1, n), int), axis=1)", "v: {=} = np.take({m}, i)", "m: {=} = np.concatenate(({m}, {m}), axis=None)[:n * n].reshape(n, n)", "v: {=} = np.vecdot({m}, {m}) / n", "v: {=} = np.polyval({v}[:3], {v})", "m: {=} = np.vander({v})",
    "v: {=} = np.«degrees|radians|deg2rad|fix|nan_to_num»({v})", "v: {=} = np.«logaddexp2|heaviside»({v}, {v}[::-1])", "v: {=} = np.select([{v} > 0.5, {v} < -0.5], [{v}, 2.0 * {v}], 0.0)", "v: {=} = np.clip({v}, {s} - 0.5, {s} + 0.5)", "v: {=} = np.power(np.abs({v}) + 0.1, {v})",
    "s: {=} = np.«nansum|nanmean|nanmax|nanmin|nanvar|nanstd|ptp|average|amax|amin»({m})", "v: {=} = np.«nansum|nanmean|nanmax|nanmin|nanvar|ptp»({m}, axis=«0|1|-1»)", "v: {=} = np.average({m}, axis=«0|1», weights=np.abs({v}) + 0.5)", "m: {=} = np.cov({m})", "m: {=} = np.linalg.matrix_power({m} / n, «2|3»)", "v: {=} = np.linalg.norm({m}, «1|3|2.5», axis=«0|1»)", "v: {=} = np.delete({v}, «0|1|-1»).sum() * {v}",
    "m: {=} = np.meshgrid({v}, {v}«|, indexing='ij'»)[«0|1»]", "m: {=} = np.stack([{v}] * n«|, axis=0|, axis=1|, -1»)", "m: {=} = np.«vstack|column_stack»([{v} * t for t in range(n)])", "v: {=} = np.hstack([{v}[:1], {v}[1:]])", "m: {=} = np.concatenate(«[{m}[:1], {m}[1:]]|({m}[:, 1:], {m}[:, :1]), axis=1|[{m}[:, 2:], {m}[:, :2]], axis=-1»)",
    "v: {=} = np.concatenate(np.split({v}, [1, 3])[::-1])", "v: {=} = np.split({v}, [«1|2»])[«0|1»].sum() * {v}", "m: {=} = np.concatenate(np.split({m}, [2], axis=«0|-2»)[::-1], axis=0)",
    "m: {=} = np.fft.ifftn(np.fft.fftn({m})).real", "v: {=} = {v} + np.fft.rfftfreq(2 * n)[:n]",
    # new ones
    "v: {=} = {v} * np.«ones|zeros»(n)", "v: {=} = {v} + np.«arange(n) / n|linspace(0.0, {s}, n)|linspace(-1.0, 1.0, n, endpoint=False)|full(n, {s})|full_like({v}, {s})|ones_like({v})|zeros_like({v})|arange(1, n + 1)|arange(n, 0, -1)|arange(0.0, n, 1.0)|identity(n)[0]|fft.fftfreq(n)|array([{s}] * n)»", "m: {=} = {m} * (np.«eye(n)|eye(n, k=1)|eye(n, n)|identity(n)|ones((n, n))|full((n, n), 0.5)» + 0.5)",
    "v: {=} = np.array([{s}, {v}[0], 0.5]).sum() * {v}", "v: {=} = np.empty(n);;{=}[:] = {v}", "m: {=} = np.empty_like({m});;{=}[...] = {v}", "v: {=} = np.take({v}, i«|, mode='wrap'|, axis=0»)", "m: {=} = np.take({m}, i, axis=«0|1»)", "v: {=} = {v}[np.searchsorted(np.sort({v}), {v}[:1])[0] % n] + {v}", "v: {=} = {v} + 0.1 * np.searchsorted(np.linspace(-1.0, 1.0, 5), {v}«|, side='right'»)",
    "v: {=} = np.sort({v})«|[::-1]»", "m: {=} = np.sort({m}, axis=«0|1|-1»)", "v: {=} = {v}[np.argsort(«{v}|-{v}»)]", "m: {=} = {m}[np.argsort({m}[:, 0])]", "v: {=} = {v}[np.where({b})[0]].sum() * {v}", "v: {=} = {v}.astype(«float|np.float64») + np.asarray({v})", "v: {=} = np.copy({v});;{=}[k] = {s}",
    # linear algebra
    "c: {=} = np.linalg.«inv|cholesky»({c} @ np.swapaxes({c}, 1, 2) + 2.0 * np.eye(n))", "c: {=} = np.linalg.solve({c} @ np.swapaxes({c}, 1, 2) + 2.0 * np.eye(n), {c})", "s: {=} = np.linalg.norm(«{v}|{m}|{m}, 'fro'|{v}, 1|{v}, np.inf|{v}, ord=2|{v} + 3.0, 3»)", "v: {=} = np.linalg.norm({m}, axis=«0|1|-1»)",
    "s: {=} = 0.1 * np.linalg.slogdet({m} @ {m}.T + np.eye(n)).logabsdet", "s: {=} = np.tanh(np.linalg.det({m} / n))", "v: {=} = np.linalg.solve({m} @ {m}.T + 2.0 * np.eye(n), {v})", "m: {=} = np.linalg.inv({m} @ {m}.T + 2.0 * np.eye(n))",
    # numbers
    "s: {=} = «min|max»({s}, {v}[0]«|, 0.4|, {v}[1]»)", "s: {=} = «min|max»({v}[:3])", "s: {=} = sum({v}[:3]) / «len({v})|3»", "s: {=} = abs({v}[0])", "s: {=} = pow(1.0 + abs({v}[0]), «2|3|0.5|{s}»)", "s: {=} = round({v}[0], 1) * {s}", "s: {=} = float({v}[0]) * {s}", "s: {=} = int({v}[0] * 3.0) * {s}", "s: {=} = bool({v}[0] > 0) * {s}", "s: {=} = {v}[0].item() * {s}",
    "s: {=} = divmod(abs({v}[0]) + 1.0, 0.7)[«0|1»]", "s: {=} = list({v}[:3])[-1] * tuple({v}[:2])[0]", "s: {=} = {s} if isinstance({v}, np.ndarray) and {v}.ndim == 1 and np.size({v}) == n else 0.0", "s: {=} = {s} * np.shape({m})[0] / {m}.size * np.ndim({m})", "s: {=} = 0.0;;for t, u in zip({v}, reversed(list({v}))):;;    {=} = {=} + t * u",
    "s: {=} = {s} * complex({s}, 0.5).«real|imag»", "s: {=} = np.float64({s}) * np.«real|imag|conj»({s}) + {s}", "s: {=} = {s} * np.sign({s}) + np.result_type({v}, {s}).itemsize", "s: {=} = 1.0 * np.iscomplexobj({v}) + {s}", "v: {=} = {v}[slice(1, None)].sum() * {v}", "s: {=} = 0.1 * (hasattr({v}, 'shape') + getattr({v}, 'ndim')) * {s}",
]  # fmt: skip
DTYPES = [
    "f: {=} = np.«sin|tanh|abs|sqrt|log1p|exp2|floor|cbrt»(np.abs({f}))", "f: {=} = {f} «*|+|-» «2|0.5|{f}|np.float32(0.3)|True»", "f: {=} = {f} / («{f} ** 2|np.abs({f})» + «1|np.float32(1.5)|1.5»)", "v: {=} = {f} * «{v}|np.float64(0.5)|{i}»", "v: {=} = {f}.astype(«float|np.float64|'f8'»)",
    "f: {=} = {v}.astype(«np.float32|'f4'|dtype=np.float32»)", "f: {=} = np.zeros(n, «np.float32|dtype='f4'»);;{=}[«:|1:-1|::2|::-1»] = «0.5|{s}|{f}[0]|{v}[k]|True»", "f: {=} = {f}.copy();;{=} «+|*|-»= «{f}|0.5|{v}|{s}|2»", "f: {=} = {f}[«i|::-1|np.argsort({f})»]", "s: {=} = np.«sum|max|min|mean|prod»(«{f}|{f} * 0.5»)",
    "s: {=} = {f}[k] * «{s}|2|{f}[0]|np.float32(0.5)»", "s: {=} = np.«mean|sum»({f}, dtype=«float|np.float64»)", "f: {=} = np.where({b}, {f}, «0.0|{f}|np.float32(0.1)|1»)", "v: {=} = np.where({b}, {f}, {v})", "f: {=} = np.concatenate([{f}[1:], {f}[:1]])", "v: {=} = np.concatenate([{f}[1:], {v}[:1]])", "f: {=} = np.cumsum({f}) / np.float32(n)",
    "f: {=} = np.«maximum|minimum|hypot|arctan2»({f}, «0.1|{f}|1»)", "f: {=} = {m}.astype(np.float32) @ {f} / n", "v: {=} = {m} @ {f} / n", "f: {=} = np.stack([{f}, {f} * 0.5])[«0|k % 2»]", "f: {=} = np.float32(0.5) * {f} + np.float32({s})", "f: {=} = {f} ** «2|3|0.5 * 0 + 1|2.0»", "f: {=} = np.full(n, 0.25, np.float32) * {f}",
    "i: {=} = («{i}|np.arange(n)» * 2 + 1) % n", "i: {=} = ({i} + i) // 2", "i: {=} = np.minimum(np.«maximum({i} - 1, 0)|abs({i})|clip({i}, 1, 3)», n - 1)", "i: {=} = np.argsort({v})", "i: {=} = {b}.astype(«int|np.int64|np.int32»)", "i: {=} = {i} ** 2 % n", "i: {=} = np.minimum({i} «& 1|>> 1|^ 1|<< 1», n - 1)", "i: {=} = np.cumsum({b}) % n", "i: {=} = {i}.copy();;{=}[k] = «0|k|{i}[0]»",
    "i: {=} = {i}.astype(«np.int32|np.uint8|np.int8») % 3", "v: {=} = {i} * {v}", "v: {=} = {v} + {i} / n", "v: {=} = {v} * ({i} % 2 == 0)", "v: {=} = {v} / ({i} + «1|1.5»)", "s: {=} = {i}[k] * {s}", "s: {=} = np.sum({i} * {b}) * 0.1 * {s}", "s: {=} = {s} * (-{i}[0] «% 3|// 2») / n", "v: {=} = {v}[-1 - {i}]", "s: {=} = 0.1 * np.«sum|max|min|prod|mean|argmax»({i} % 3) * {s}", "i: {=} = -{i} % n", "v: {=} = 2.0 ** ({i} % 3) * {v}", "v: {=} = {v} * np.«maximum|minimum|add|multiply|subtract|hypot»({i}, «1|{v}|{i}»)",
    "b: {=} = {b} «&|^» ({v} > 0.0)", "b: {=} = ~{b}«|[::-1]»", "v: {=} = {b} * {v}", "v: {=} = {v} + «{b}|{b} * 0.5|{b} + {b}»", "b: {=} = np.«zeros|ones»(n, bool);;{=}[«1:|::2|k»] = «True|False|{b}[0]»", "b: {=} = {b}.copy();;{=}[k] = not {=}[k]", "s: {=} = {b}.sum() * {s} * 0.1", "s: {=} = {s} if {b}[k] else 0.5 * {s}", "v: {=} = {v}.copy();;{=}[{b}] «=|+=|*=» «0.5|{s}»", "v: {=} = {v}.copy();;{=}[{b}] = {v}[{b}] * {s}", "b: {=} = {b} «==|!=» {b}",
    "p: {=} = np.array(«{s}|{v}[0]|0.5»)", "p: {=} = np.array({v}[0]);;{=}[«...|()»] = {s} * {=}", "p: {=} = {p}.copy();;{=} «+=|*=» «{s}|{p}|0.5»", "s: {=} = {p}[()] * {s}", "v: {=} = {p} * {v}", "s: {=} = np.«sin|tanh|exp|square»({p})", "p: {=} = np.reshape({v}[:1], ())", "s: {=} = float({p}) * {p}.item()", "s: {=} = np.where({p} > 0.1, {p}, {s})", "s: {=} = {p}.«sum|max|mean»() + {p}.ndim", "v: {=} = {v}.copy();;{=}[«k|:|0»] = {p}", "s: {=} = {p} * {p} if {p} > 0.2 else -{p}", "v: {=} = np.«maximum|add|arctan2»({p}, {v})", "p: {=} = np.zeros(());;{=}[...] = {p} * {s}", "v: {=} = np.full(n, {p})", "p: {=} = {v}[0, ...]",
    "v: {=} = np.where({v} > 0.0, {v}, np.«inf|nan»);;{=} = np.where(np.isfinite({=}), {=}, 0.3)", "s: {=} = «np.inf|-np.inf|float('inf')»;;for t in {v}:;;    {=} = «min|max»({=}, t);;{=} = {=} if abs({=}) < 9.0 else 0.0", "v: {=} = np.minimum(np.maximum({v}, -np.inf), np.inf)", "v: {=} = np.nan_to_num(np.where({v} > 0.5, np.«nan|inf», {v}), nan=0.1, posinf=0.2)", "s: {=} = 1e308 * {s} * 1e-308", "v: {=} = {v} / (1e-320 + np.abs({v}))", "v: {=} = 0.0 * {v} + -0.0",
]  # fmt: skip
PART = "[1:]|[::-1]|[::2]|[1::2]|[:-1]|[-2::-1]|[::-2]|[:]|[...]|[n:]|[2:1]|[:1]"
GRID = ".T|[::-1]|[:, ::-1]|[1:, :-1]|[::2]|.T[1:]|[::-1, ::-2]|[:, 1]|[-1]|.reshape(n * n)|.reshape(-1)[::n + 1]|.ravel()|[None][0]|.swapaxes(0, 1)|.transpose()|[k:, :k]|[2:2]|.reshape(n, n, 1)[:, :, 0]|[..., 0]|.flatten()|.real"
VIEWS = [
    f"v: a{{#}} = {{v}}.copy();;b{{#}} = a{{#}}«{PART}»;;b{{#}}«[:] = {{s}}| += 0.5| *= {{s}}|[...] = b{{#}} * 0.5| -= b{{#}}[::-1]»;;{{=}} = a{{#}}", f"m: a{{#}} = {{m}}.copy();;b{{#}} = a{{#}}«{GRID}»;;b{{#}} «+=|*=|-=» «0.5|{{s}}|0.5 * b{{#}}»;;{{=}} = a{{#}}", f"m: a{{#}} = {{m}}«.T.copy()|.copy()|.copy('F')|.T.copy(order='K')| * 1.0»;;b{{#}} = a{{#}}«{GRID}»;;b{{#}}«[...]|[:1]|[-1:]» = {{s}};;{{=}} = a{{#}} * 0.5 + a{{#}}.T",
    "v: {=} = {v}.copy();;{=}«[1:] = {=}[:-1]|[:-1] = {=}[1:]|[:] = {=}[::-1]|[::-1] = {=}|[1:] += {=}[:-1]|[:-1] *= {=}[1:]|[1:-1] = {=}[:-2] + {=}[2:]|[::2] = {=}[::2][::-1]|[2:] -= 0.5 * {=}[:-2]»", "m: {=} = {m}.copy();;{=}«[:] = {=}.T|.T[...] = {=}| += {=}.T|[1:] = {=}[:-1]|[:, 1:] += {=}[:, :-1]|[::-1] *= {=}|[1:, 1:] = {=}[:-1, :-1]|[k] = {=}[:, k]|[:, k] -= {=}[k]|[:, ::-1] = {=}.T»",
    "v: {=} = {v}.copy();;np.«add|subtract|multiply|maximum|hypot»({=}[1:], {=}[:-1], out={=}[«1:|:-1»])", "v: {=} = {v}.copy();;np.«sin|tanh|exp|negative|square|abs»(«{=}|{v}|{=}[::-1]», out={=})", "v: {=} = {v}.copy();;np.«cumsum|cumprod»(«{=}|0.5 * {v}», out={=})", "v: {=} = np.zeros(n);;np.«matmul|dot»({m}, {v}, out={=});;{=} = {=} / n", "v: {=} = {v}.copy();;np.clip({=}, -0.5, 0.5, out={=})", "v: {=} = np.empty(n);;np.sum({m}, axis=«0|1», out={=})",
    "v: «x|y»«[k] = 0.5 * {v}[0]|[1:] += 0.1 * y[:-1]|[::-1] *= 0.5|[:] = np.sin(x)|[i] = {v}|[-1] = {s}|[:0] = {s}|[1:] = x[:-1]» ;;{=} = x + y", "m: w«[k] = {v}|[:, 0] *= 0.5|.T[1:] += 0.1 * w[1:]|[...] = w.T * 1.0|[1:] = w[:-1]|[{v} > 0.0] = 0.1|[i, i] += 0.1|[::2, ::-1] -= 0.1|.ravel()[:n] = {v}|.reshape(-1)[::n + 1] = {v}»;;{=} = w",
    "v: a{#} = x«|[::-1]|[1:]|[::2]»;;a{#}«[0] = {s}| *= 0.5|[:] = np.sin(a{#})»;;{=} = x * {v}", "c: {=} = {c}.copy();;{=}«[0] = {=}[1].T|[:, k] += {v}|[..., 0] *= 0.5|[::-1] = {=}|[0] @= {m}|[:, :, ::-1] = {=}|.transpose(2, 1, 0)[0] = 0.5|[k % 2, 1:] = {=}[0, :-1]|[:, i] = 0.1|[1] = {=}[0]»",
    "v: {=} = {v}.copy();;for j in range(«n|n - 1, -1, -1|0, n, 2|1, n|-1, n - 1|n - 1, 0, -2|0|n, n»):;;    {=}[j] = «0.5 * {=}[j - 1] + {v}[j]|{s} * {=}[j]|{=}[j] + {m}[j] @ {m}[:, j] / n»", "m: {=} = {m}.copy();;for a, b in zip({=}, {m}):;;    a «+=|*=» «b|0.5|0.1 * b[::-1]»", "m: {=} = {m}.copy();;for row in {=}«|.T|[::-1]|[::2]»:;;    row«[k] = {s}| *= 0.5|[1:] += row[:-1]»",
    "m: {=} = {m}.copy();;{=}[np.arange(n), «np.arange(n)|i|0» ] «=|+=» «{v}|0.5»", "m: {=} = {m}.copy();;{=}[np.diag_indices(n)] = {v}", "m: {=} = {m}.copy();;np.fill_diagonal({=}«|.T|[1:, :-1]», «{s}|0.5»)", "v: {=} = {m}«[::-1, ::-1].sum(0)|[:, ::2].sum(axis=1)|.T[::2].sum(axis=0)|[1:-1].sum()|[:, -1:].sum(1)|[:0].sum(0)» * {v}[0] + {v}",
    "v: {=} = np.copy({v}[«::-1|::2»]).sum() + {v}", "v: a{#}, b{#} = {v}.copy(), {v}.copy();;a{#}[:], b{#}[:] = b{#}, a{#} * 0.5;;{=} = a{#} + b{#}", "v: a{#} = {v}.copy();;b{#} = a{#}[1:];;c{#} = b{#}[::-1];;c{#}«[0] = {s}| += b{#}| *= 0.5»;;{=} = a{#}", "m: {=} = np.array([{v}, {v}] * n)[:n];;{=}[0] *= 0.5", "v: a{#} = {v}.copy();;a{#}.shape = (n, 1);;{=} = a{#}[:, 0]", "v: {=} = {v}.copy();;del_{#} = {=}[1:];;{=} = {=} * 0.5;;del_{#} += 1.0",
    "v: {=} = {v}.copy();;for j in range(2):;;    t{#} = {=}[j:];;    t{#} *= 0.5;;    {=}[j] += t{#}[«0|-1»]", "m: {=} = {m}.copy();;b{#} = {=}.T if {s} > 0.3 else {=};;b{#}[0] = {v}", "v: {=} = {v}.copy();;b{#} = {=} if {v}[0] > 0.0 else {=}.copy();;b{#}[k] = {s}",
]  # fmt: skip
BACKS = [
    "{v}", "{m}", "{s}", "{c}", "{f}", "({v}, {s})", "[{v}, {m}]", "({s}, ({v}, {m}), {f})", "{'a': {v}, 'b': {s}}", "({v}, {v})", "{v}, n", "({s},)", "x", "(x, {v}[1:])", "{v}[::-1]", "{m}.T",
    "{v}[:1]", "{m}[1:, ::2]", "({v}, {b})", "({i}, {v})", "0.5 * {v}", "np.stack([{v}, {v}])", "{p}", "({p}, {v})", "{v}[:0]", "({s}, 0.5)",
]  # fmt: skip


def more(seed: int) -> str:
    rng = np.random.default_rng([seed, 5])
    return "".join(kind for kind, often in MORE.items() if rng.random() < often)


def function_program(seed: int) -> str:
    """Every function that kernels take, with its options."""
    return program_of(FUNCTIONS, seed, more=more(seed))


def dtype_program(seed: int) -> str:
    """Numbers of single precision, integers and booleans, arrays without axes, numbers that are not finite."""
    return program_of(DTYPES, seed, more=more(seed))


def view_program(seed: int) -> str:
    """Writes through views, of arguments and of others, to what is read at the same time."""
    return program_of(VIEWS, seed, more=more(seed))


def result_program(seed: int) -> str:
    """What is no number is returned: arrays, tuples, lists and dicts."""
    table = [FUNCTIONS, DTYPES, VIEWS, [*LIBRARIES, *COMPLEX]][
        int(np.random.default_rng(seed).integers(4))
    ]
    return program_of(table, seed, more=more(seed), backs=BACKS)
