"""What random programs draw of batches, tangents and functions of functions: `vmap`, `is_grads_batched`, `vectorize=True`."""

from __future__ import annotations

from typing import Any

__all__ = ["BATCHES", "TANGENTS", "batch_functions"]

BATCHES = (
    "torch.vmap(lambda t: (t * t.exp()).sum())({a})", "torch.vmap(lambda t, u: t * u, (0, None))({a}, {b})",
    "torch.vmap(lambda t, u: (t * u).sum(), (0, 0))({a}, {a})", "torch.vmap(lambda t: t.sin(), in_dims=-1, out_dims=-1)({a})",
    "torch.vmap(lambda t: t.sin(), out_dims=-1)({a})", "torch.vmap(torch.vmap(lambda t: t.exp() * 2))({a})",
    "torch.vmap(lambda t: (t.sum(), t * 2))({a})[1]", "torch.vmap(lambda t: t.softmax(-1).log())({a})",
    "torch.vmap(lambda t: t @ t)({a})", "torch.vmap(lambda t, u: t @ u, (0, None))({a}, {b})", "torch.vmap(lambda t: t.cumsum(0))({a})",
    "torch.vmap(lambda t: torch.where(t > 0, t, 0.5 * t))({a})", "torch.vmap(lambda t: t.clone().mul_(2))({a}) * 1",
    "torch.vmap(lambda t: t.max())({a})", "torch.vmap(lambda t: t.view(-1).flip(0))({a})", "torch.vmap(lambda t: t[..., 0])({a})",
    "torch.vmap(lambda t: torch.stack([t, t.sin()]))({a})", "torch.vmap(lambda t: torch.cat([t, t]))({a})", "torch.vmap(lambda t: t.norm())({a})",
    "torch.vmap(lambda t: t.exp(), chunk_size=1)({a})", "torch.vmap(lambda t: t + {b})({a})", "torch.vmap(lambda t: t.var())({a})",
    "torch.vmap(torch.func.grad(lambda t: (t.sin() * t).sum()))({a}).detach()", "torch.vmap(lambda t: t.unsqueeze(0).expand(2, *t.shape))({a})",
    "torch.vmap(torch.func.grad(lambda t, u: (t * u).sum()), (0, None))({a}.detach(), {b}.detach()).clone()",
    "torch.vmap(torch.func.jacrev(lambda t: t.exp()))({a}.detach())", "torch.vmap(lambda t: t.sum(0, keepdim=True).squeeze(0))({a})",
    "torch.autograd.functional.jacobian(lambda t: t.sin() * {b}, {a}.detach(), vectorize=True)",
    "torch.autograd.functional.jacobian(lambda t: (t * t).sum(0), {a}.detach(), vectorize=True, strategy='forward-mode')",
    "torch.autograd.functional.hessian(lambda t: (t.exp() * t).sum(), {a}.detach(), vectorize=True)",
    "torch.autograd.functional.jacobian(lambda t, u: t @ u, ({a}.detach(), {b}.detach()), vectorize=True)[0]",
    "batched_rows({a} * {b}, {a})", "batched_rows({a}.exp(), {a})", "batched_rows(Twice.apply({a}) * {b}, {b})", "batched_rows({a}[0].sin(), {a})",
    "batched_rows({a}.softmax(-1), {a})", "batched_rows({a} @ {b}, {a})",
)  # fmt: skip
# A result of `vmap` may be a view of what was given, with its versions and flags; here it never is.
BATCHES = tuple(f"({text}) * 1" if text.startswith("torch.vmap(") else text for text in BATCHES)
TANGENTS = (
    "pushed({a}, {b})", "along(lambda t: t.exp() * {b}, {a})", "along(lambda t: t.softmax(-1), {a})", "along(lambda t: t @ {b}, {a}).detach()",
    "along(written_dual, {a})", "along(lambda t: t[0] * t.sum(), {a})", "along(lambda t: Pushed.apply(t) * t, {a})",
    "along(lambda t: torch.cat([t, {b}]), {a})", "along(lambda t: along(lambda s: s.sin() * s, t), {a})",
    "torch.func.jvp(lambda t: torch.func.grad(lambda s: (s ** 3).sum())(t), ({a}.detach(),), (torch.ones_like({a}),))[1].clone()",
    "torch.func.jacfwd(lambda t: t.sin() * 2)({a}.detach())", "torch.func.hessian(lambda t: (t.sin() * t).sum())({a}.detach())",
    "torch.autograd.functional.jvp(lambda t: t * {b}, {a}.detach(), torch.ones_like({a}))[1].clone()",
    "torch.autograd.functional.vhp(lambda t: (t.exp() * t).sum(), {a}.detach(), torch.ones_like({a}))[1].clone()",
    "torch.autograd.functional.hessian(lambda t: (t ** 3).sum(), {a}.detach())",
    "torch.func.vjp(lambda t: (t.sin(), t * 2), {a}.detach())[1]((torch.ones_like({a}), torch.ones_like({a})))[0].clone()",
    "torch.autograd.grad(Pushed.apply({a}).sum(), {a}, create_graph=True)[0] * {b}", "along(lambda t: t.clone().masked_fill_(t > 0, 2.0) * t, {a})",
)  # fmt: skip


def batch_functions(torch: Any) -> dict[str, Any]:
    """The functions by which these are short."""

    class Pushed(torch.autograd.Function):  # type: ignore[misc]
        """With tangents and batches of its own."""

        @staticmethod
        def forward(x: Any) -> Any:
            return x.sin() * 2

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            ctx.save_for_backward(*inputs)
            ctx.save_for_forward(*inputs)

        @staticmethod
        def backward(ctx: Any, bar: Any) -> Any:
            (x,) = ctx.saved_tensors
            return bar * 2 * x.cos()

        @staticmethod
        def jvp(ctx: Any, dot: Any) -> Any:
            (x,) = ctx.saved_tensors
            return dot * 2 * x.cos()

    def batched_rows(z: Any, x: Any) -> Any:
        """Two gradients in one pass."""
        bars = torch.stack([torch.ones_like(z), z.detach()])
        return torch.autograd.grad(z, x, bars, is_grads_batched=True, retain_graph=True)[0].clone()

    def along(function: Any, x: Any) -> Any:
        """The tangent along ones."""
        return torch.func.jvp(function, (x,), (torch.ones_like(x),))[1].clone()

    def written_dual(t: Any) -> Any:
        z = t.sin()
        z.mul_(t)
        return z

    return {
        "Pushed": Pushed,
        "batched_rows": batched_rows,
        "along": along,
        "written_dual": written_dual,
    }
