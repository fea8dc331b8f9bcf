"""What every random program is made of: functions, views, writes, hooks, ways back."""

from __future__ import annotations

__all__ = ["HOOKS", "KINDS", "WRITES"]

UNARY = (
    "{a}.exp()", "{a}.sin()", "{a}.cos()", "{a}.tanh()", "{a}.sigmoid()", "-{a}", "{a}.abs()", "{a}.square()",
    "{a}.relu()", "{a} * 2", "1 + {a}", "{a} ** 2", "{a} ** 3", "1 - {a}", "2 / ({a} * {a} + 1)", "{a}.clamp(-1, 1)",
    "{a}.softmax(-1)", "{a}.cumsum(0)", "({a} * {a} + 1).sqrt()", "({a} * {a} + 1).log()", "{a}.clone()", "{a}.expm1()",
    "{a}.atan()", "{a}.sign()", "{a}.log_softmax(0)", "{a}.flip(0)", "{a}.tril()", "{a}.roll(1, 0)", "{a} * 1j",
    "{a}.float()", "{a}.double()", "2.0 ** {a}", "{a}.reciprocal()", "{a}.clamp(min=0.5)", "{a}.cumprod(-1)",
    "{a}.masked_fill({a} > 0.5, 2.0)", "{a}.repeat(2)", "{a}.sort(-1).values", "{a}.contiguous()", "{a}.floor()",
)  # fmt: skip
BINARY = (
    "{a} + {b}", "{a} - {b}", "{a} * {b}", "{a} / ({b} * {b} + 1)", "torch.maximum({a}, {b})",
    "torch.where({a} > {b}, {a}, {b})", "torch.atan2({a}, {b})", "{a} @ {b}", "torch.cat([{a}, {b}])",
    "torch.stack([{a}, {b}])", "torch.hypot({a}, {b})", "{a}.add({b}, alpha=3)", "torch.lerp({a}, {b}, 0.3)",
    "torch.cat([{a}, {b}], -1)", "{a}.mul({b})", "{a}.mm({b})", "{a}.dot({b})", "torch.minimum({a}, {b})",
    "{a}.pow({b})", "torch.addcmul({a}, {a}, {b})", "torch.outer({a}, {b})", "{a} > {b}", "torch.logaddexp({a}, {b})",
)  # fmt: skip
REDUCTIONS = (
    "{a}.sum()", "{a}.mean()", "{a}.sum(0)", "{a}.sum(-1, keepdim=True)", "{a}.prod()", "{a}.amax(0)", "{a}.max()",
    "{a}.max(0).values", "{a}.norm()", "{a}.var()", "{a}.std(0)", "{a}.logsumexp(0)", "{a}.mean(-1)", "{a}.min()",
    "{a}.prod(0)", "{a}.amin()", "{a}.median()", "{a}.norm(1)", "{a}.argmax()", "{a}.var(0, unbiased=False)",
)  # fmt: skip
VIEWS = (
    "{a}[0]", "{a}[:, 1]", "{a}[..., None]", "{a}.t()", "{a}.reshape(-1)", "{a}.view(-1)", "{a}.unsqueeze(0)",
    "{a}.expand(2, 3)", "{a}.narrow(0, 0, 2)", "{a}.select(0, 1)", "{a}.unbind()[0]", "{a}.split(1)[0]",
    "{a}.detach()", "{a}.transpose(0, -1)", "{a}.flatten()", "{a}.squeeze()", "{a}.diagonal()", "{a}.T",
    "{a}.chunk(2)[1]", "{a}[1:]", "{a}[::2]", "{a}.view_as({a})", "{a}.expand(2, -1)", "{a}.movedim(0, -1)",
    "{a}.data", "{a}[-1]", "{a}[[0, 1]]", "{a}[{a} > 0]", "{a}.permute(1, 0)", "{a}.real",
)  # fmt: skip
WRITES = (
    "{a}.add_({b})", "{a}.mul_(2)", "{a}[0] = {b}", "{a}[{a} > 0.5] = 0.25", "{a}.zero_()", "{a}.fill_(0.5)",
    "{a}.copy_({b})", "{a}.exp_()", "{a}.sin_()", "{a}.relu_()", "{a}.clamp_(-1, 1)", "{a} += {b}", "{a}.sub_({b})",
    "{a}.mul_({b})", "{a} *= 0.5", "{a}.masked_fill_({a} < 0, 0.5)", "{a}.unsqueeze_(0)", "{a}.t_()", "{a}.detach_()",
    "{a}.requires_grad_()", "{a}[:, 0] = {b}", "{a}[1:].mul_(3)", "{a}.data.add_(1)", "{a}.pow_(2)", "{a}.tanh_()",
    "{a}.index_put_((torch.tensor([0]),), {b})", "{a}.squeeze_()", "{a}.div_(2)", "{a}.neg_()",
    "{a}.requires_grad_(False)", "{a}.sigmoid_()", "{a}[...] = {b}", "{a}[-1] *= 2", "{a}.abs_()", "{a}.add_(1)",
    "{a}.requires_grad = True", "{a}.lerp_({b}, 0.5)", "{a}.addcmul_({a}, {b})", "{a}.transpose_(0, -1)",
)  # fmt: skip
HOOKS = (
    "{a}.register_hook(lambda g: g * 2)", "{a}.register_hook(lambda g: note(g))", "{a}.retain_grad()",
    "{a}.grad_fn.register_hook(lambda gi, go: note(*go))", "{a}.grad_fn.register_prehook(lambda go: note(*go))",
    "{a}.register_post_accumulate_grad_hook(lambda t: note(t.grad))", "{a}.register_hook(lambda g: g.clamp(-1, 1))",
    "{a}.grad = None", "{a}.grad = {b}", "note({a}.grad)",
)  # fmt: skip
BACKWARD = (
    "{a}.sum().backward()", "{a}.sum().backward(retain_graph=True)", "{a}.backward()",
    "({a} * {b}).sum().backward(create_graph=True)", "{a}.sum().backward(inputs=[{b}])",
    "{a}.backward({b}.clone())", "torch.autograd.backward([{a}.sum(), {b}.sum()])", "{a}.square().sum().backward()",
)  # fmt: skip
GRADS = (
    "torch.autograd.grad({a}.sum(), {b})[0].clone()", "torch.autograd.grad({a}.sum(), {b}, create_graph=True)[0].clone()",
    "torch.autograd.grad({a}.square().sum(), {b}, create_graph=True, allow_unused=True)[0].clone()",
    "torch.autograd.grad({a}, {b}, torch.ones_like({a}), retain_graph=True)[0].clone()",
    "torch.autograd.grad({a}.sum(), [{b}, {a}], retain_graph=True, allow_unused=True)[0].clone()",
    "torch.autograd.grad({a}.sum(), {b}, materialize_grads=True, create_graph=True)[0].clone()",
)  # fmt: skip
# A statement and how often it is drawn; what has a value is bound to a new name.
KINDS = (
    (UNARY, 6, True), (BINARY, 6, True), (REDUCTIONS, 2, True), (VIEWS, 6, True), (WRITES, 7, False),
    (HOOKS, 2, False), (BACKWARD, 2, False), (GRADS, 3, True),
)  # fmt: skip
