"""What random programs of the eager API draw with ``--rich``: more functions and types, views of views, and what the modules beside it list."""

from __future__ import annotations

from .batches import BATCHES, TANGENTS
from .checkpoints import CHECKPOINTS

__all__ = ["OVERLAPPING", "RICH", "WATCHING"]

VALUES = (
    "{a}.gather(0, torch.zeros_like({a}).long())", "{a}.index_select(0, torch.tensor([0]))", "{a}.diff()",
    "{a}.cummax(0).values", "{a}.sinh()", "{a}.long()", "{a}.int() + {b}", "({a} > 0) * {b}", "{a}.cfloat()",
    "Twice.apply({a})", "Times.apply({a}, {b})", "Twice.apply({a}) * {a}", "{a}.topk(1).values", "{a}.log1p()",
    "{a}.view(-1)[1:]", "{a}.t()[0]", "{a}[None][0]", "{a}.unflatten(0, (1, -1))", "{a}.mean((0, 1))",
)  # fmt: skip
WRITES = (
    "{a}.view(-1)[1:].mul_(2)", "{a}.t()[0].add_({b})", "{a}[0][0] = 1.5", "{a}.view(-1)[:2].copy_({b})",
    "{a}.diagonal().zero_()", "{a}.unbind()[0].add_(1)", "{a}.detach().mul_(2)", "{a}.index_add_(0, torch.tensor([0]), {b})",
    "packed({a}, {b}).sum().backward()",
    "torch.autograd.backward([{a}.sum(), {b}.sum()], inputs=[{b}], retain_graph=True)",
)  # fmt: skip
FUNCTIONS = (
    "{a}.put(torch.tensor([0, -1]), {b}.reshape(-1)[:2])", "{a}.masked_scatter({a} > 0, {b})", "{a}.cummin(0).values",
    "{a}.index_copy(0, torch.tensor([0]), {b})", "{a}.scatter_add(0, torch.zeros_like({b}).long(), {b})",
    "{a}.scatter(0, torch.zeros_like({a}).long()[:1], 0.5)", "{a}.select_scatter({b}, 0, 0)", "{a}.logcumsumexp(0)",
    "{a}.div({b} * {b} + 1, rounding_mode='floor')", "torch.fmod({a}, 0.7)", "torch.remainder({a}, {b} * {b} + 1)",
    "{a}.kthvalue(1).values", "{a}.clamp(min={b})", "{a}.clamp(max={b})", "torch.xlogy({b}, {a} * {a} + 1)", "{a}.frac()",
    "torch.einsum('...i,...j->...ij', {a}, {b})", "torch.nn.functional.softplus({a})", "torch.nn.functional.gelu({a})",
    "torch.nn.functional.elu({a})", "torch.nn.functional.leaky_relu({a})", "torch.nn.functional.mse_loss({a}, {b})",
    "torch.nn.functional.smooth_l1_loss({a}, {b})", "torch.nn.functional.hardtanh({a})", "{a}.median(0).values",
    "torch.std_mean({a})[0]", "torch.aminmax({a}).max", "{a}.nan_to_num()", "{a}.erf()", "({a} * {a} + 1).lgamma()",
    "torch.where({a} > 0, {b}, 0.5)", "torch.addcdiv({a}, {b}, {a} * {a} + 1)", "{a}.norm(1, -1)", "{a}.norm(float('inf'))",
    "{a}.addmm({a}, {b})", "{a}.baddbmm({a}[None], {b}[None])", "{a}.mv({b})", "{a}.inner({b})", "{a}.diag()",
    "{a}.triu()", "{a}.rot90()", "{a}.take(torch.tensor([0, -1]))", "{a}.masked_select({b} > 0)", "{a}.repeat_interleave(2) * 1",
    "{a}.std(-1, keepdim=True)", "{a}.nansum(0)", "torch.linalg.vector_norm({a}, 3)", "{a}.rsub(1)", "{a}.fmax({b})",
    "torch.dist({a}, {b})", "{a}.prod(-1, keepdim=True)", "{a}.floor_divide(2)", "{a}.bool() | ({b} > 0)",
    "{a}.sum(dtype=torch.float32)", "{a}.log_softmax(-1).exp()", "{a}.square().mean().sqrt()", "{a}.type_as({b})",
)  # fmt: skip
VIEWS = (
    "{a}.swapaxes(0, -1)", "{a}.tensor_split(2)[0]", "{a}.unbind(-1)[-1]", "{a}.expand_as({b})", "{a}.narrow(-1, 0, 1)",
    "{a}.squeeze(0)", "{a}.squeeze(-1).unsqueeze(-1)", "{a}.unfold(0, 2, 1)", "{a}.hsplit(1)[0]", "{a}.ravel()", "{a}.mT",
    "{a}.broadcast_to(2, 3)", "{a}.imag", "{a}.detach()[0]", "{a}.view({b}.shape)", "{a}.reshape({b}.shape)", "{a}.T[1:]",
    "{a}.view(-1, 1)", "{a}.select(-1, 0)[None]", "{a}.split([1, 1])[1]", "{a}[..., -1]", "{a}[:, None]", "{a}[0:0]",
)  # fmt: skip
OWN_WRITES = (
    "{a}.put_(torch.tensor([0]), {b}.reshape(-1)[:1])", "{a}.masked_scatter_({a} > 0, {b})", "{a}.cumsum_(0)",
    "{a}.index_copy_(0, torch.tensor([0]), {b})", "{a}.scatter_(0, torch.zeros_like({a}).long()[:1], 0.5)", "{a}.tril_()",
    "{a}.swapaxes_(0, -1)", "{a}.index_fill_(0, torch.tensor([0]), 0.5)", "{a}.clamp_(max={b})", "{a}.div_({b} * {b} + 1)",
    "{a}.sqrt_()", "{a}.log1p_()", "{a}.copy_({b}.float())", "{a}.floor_()", "{a}.fmod_(0.7)", "{a}.rsqrt_()",
    "{a}.fill_({b}.sum())", "{a}[{a} > 0] *= 2", "{a}[[0, 1]] = {b}", "{a}[:1] = {b}[:1]", "{a}.T.mul_(2)", "{a}.reciprocal_()",
    "{a}.select(0, 0).relu_()", "{a}.view(-1)[0] = {b}.sum()", "{a}[1:].add_({a}[:-1].clone())", "{a}.addcdiv_({b}, {b} * {b} + 1)",
    "{a}.grad.zero_()", "{a}.grad.mul_(2)", "{a}.grad = None", "torch.nn.functional.relu({a}, inplace=True)",
    "Doubled.apply({a})", "{a}.clamp_min_(0.1)", "{a}.index_put_((torch.tensor([0, 0]),), {b}, accumulate=True)",
)  # fmt: skip
WATCHING = (
    "torch.autograd.graph.register_multi_grad_hook(({a}, {b}), lambda gs: None)", "{a}.register_hook(lambda g: g + g)",
    "torch.autograd.graph.register_multi_grad_hook(({a}, {b}), note, mode='any')", "{a}.register_hook(note).remove()",
    "{a}.grad_fn.register_hook(lambda gi, go: tuple(None if g is None else g * 2 for g in gi))",
    "{a}.grad_fn.register_prehook(lambda go: tuple(None if g is None else g * 3 for g in go))",
    "note({a}.grad_fn is None or {a}.grad_fn.name().split('Backward')[0] == '')", "note({a}.requires_grad, {a}.is_leaf)",
    "note(len({a}.grad_fn.next_functions) > 0)", "{a}.retain_grad()", "note({a}._is_view(), {a}._base is {b})",
)  # fmt: skip
WAYS_BACK = (
    "torch.autograd.functional.jacobian(lambda t: (t * {b}).sin(), {a}.detach())",
    "torch.autograd.functional.hvp(lambda t: (t ** 3).sum(), {a}.detach(), torch.ones_like({a}))[1]",
    "torch.autograd.functional.vjp(lambda t: t * {b}, {a}.detach(), torch.ones_like({a}))[1]",
    "torch.func.grad(lambda t: (t * t.exp()).sum())({a}.clone()).detach()", "torch.func.jacrev(lambda t: t.sin())({a}).detach().clone()",
    "torch.func.vjp(lambda t: t * {b}, {a})[1](torch.ones_like({a} * {b}))[0].detach()",
    "torch.func.jvp(lambda t: t * {b}, ({a},), (torch.ones_like({a}),))[1].detach()",
    "torch.vmap(lambda t: (t * 2).sin())({a})", "torch.vmap(torch.func.grad(lambda t: (t ** 2).sum()))({a}).detach()",
    "torch.utils.checkpoint.checkpoint(lambda t: (t * {b}).tanh(), {a}, use_reentrant=False)",
    "torch.autograd.grad([{a}.sum(), {b}.sum()], [{a}, {b}], allow_unused=True)[1].clone()",
    "torch.autograd.grad({a}.sum(), {b}, is_grads_batched=False, retain_graph=True)[0].clone()",
    "torch.autograd.grad(({a} ** 2).sum(), {a}, create_graph=True)[0] * {b}", "Both.apply({a}, {b})[0]", "Both.apply({a}, {b})[1]",
    "Signs.apply({a})[0]", "Once.apply({a})", "pushed({a}, {b})", "Kept.apply({a})", "saved_twice({a}, {b})",
)  # fmt: skip
OVERLAPPING = (WRITES, OWN_WRITES)  # where the order of what is written would show
# A statement, how often it is drawn, and whether it has a value.
RICH = (
    (VALUES, 6, True), (WRITES, 4, False), (FUNCTIONS, 6, True), (VIEWS, 4, True), (OWN_WRITES, 4, False),
    (WATCHING, 2, False), (WAYS_BACK, 3, True), (CHECKPOINTS, 3, True), (BATCHES, 2, True), (TANGENTS, 2, True),
)  # fmt: skip
