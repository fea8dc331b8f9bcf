"""What random programs draw of checkpoints: both kinds, one inside of another, with hooks, writes and functions of one's own."""

from __future__ import annotations

from typing import Any

__all__ = ["CHECKPOINTS", "checkpoint_functions"]

CHECKPOINTS = (
    "kept(lambda t, u: (t * u).sin() * t, {a}, {b})", "kept(lambda t: t.exp().sum(0), {a})", "kept(lambda t: t, {a})",
    "kept(lambda t, u: (t.tanh(), u * t)[1], {a}, {b})", "kept(lambda t, u: (t.sin(), u.exp(), 3), {a}, {b})[0]",
    "kept(lambda t: t.detach() * t, {a})", "kept(lambda t, u: t.relu() @ u, {a}, {b})", "kept(Twice.apply, {a})",
    "kept(lambda t, u: Times.apply(t.sin(), u) * u, {a}, {b})", "kept(lambda t: Kept.apply(t) * t, {a})",
    "kept(lambda t: kept(lambda s: s.sin().exp(), t) * t, {a})", "kept(stepped, {a})", "kept(stepped_row, {a}.clone(), {b})",
    "kept(lambda t: kept(lambda s: kept(torch.sin, s) * s, t.exp()) * t, {a})", "kept(lambda t: kept(stepped, t * 2), {a})",
    "kept(lambda t: again(lambda s: s.sin() * s, t.cos()) * t, {a})", "again(lambda t: kept(lambda s: s.sin() * s, t) * t, {a})",
    "again(lambda t, u: (t * u).sin() * t, {a}, {b})", "again(lambda t: t.exp() * 2, {a} * 1)", "again(stepped, {a})",
    "again(lambda t: again(lambda s: s.sin(), t) * t, {a})", "again(lambda t, u: (t.exp(), u.sin()), {a}, {b})[1]",
    "kept(lambda t: doubled(t.sin() * 2) * t, {a})", "kept(lambda t: doubled(t.exp()) * t, {a})", "again(lambda t: doubled(t.exp()) * t, {a})",
    "kept(lambda t, u: t.exp() * u, {a}, {b}, early_stop=False)", "kept(lambda t, u: t.softmax(-1) * u, {a}, {b}, determinism_check='none')",
    "torch.utils.checkpoint.checkpoint_sequential([torch.sin, torch.exp, torch.tanh], 2, {a}, use_reentrant=False)",
    "torch.utils.checkpoint.checkpoint_sequential([torch.sin, torch.exp, torch.tanh], 3, {a}, use_reentrant=True)",
    "on_cpu(lambda t, u: (t * u).exp() * u, {a}, {b})", "packed_inside({a}, {b})", "frozen({a}, {b})", "kept(frozen, {a}, {b})",
    "inner_pass({a})", "kept(inner_pass, {a})", "kept(lambda t, u=None: t.sin() * u, {a}, u={b} * 1)",
    "kept(lambda ts: ts[0].exp() * ts[1], [{a}, {b}])", "torch.autograd.grad(kept(lambda t: (t ** 3).sum(), {a}), {a}, create_graph=True)[0] * {b}",
    "torch.autograd.grad(kept(lambda t, u: (t.exp() * u).sum(), {a}, {b}), [{a}], create_graph=True)[0].clone()",
    "kept(pushed, {a}, {b})", "kept(lambda t: t.sin(), {a}).register_hook(note) and {a} * 1", "kept(lambda t: t.view(-1)[0:1] * t.sum(), {a})",
    "chosen(lambda t, u: (t * u).sin().exp(), {a}, {b})", "chosen(lambda t, u: (t @ u).tanh() * 2, {a}, {b})", "chosen(stepped, {a})",
)  # fmt: skip


def checkpoint_functions(torch: Any) -> dict[str, Any]:
    """The functions by which these are short."""
    checkpoint = torch.utils.checkpoint

    def kept(function: Any, *args: Any, **options: Any) -> Any:
        return checkpoint.checkpoint(function, *args, use_reentrant=False, **options)

    def again(function: Any, *args: Any) -> Any:
        return checkpoint.checkpoint(function, *args, use_reentrant=True)

    def chosen(function: Any, *args: Any) -> Any:
        """The results of some operations are kept."""
        ops = torch.ops.aten
        saved = [ops.sin.default, ops.mm.default, ops.mul.Tensor]

        def contexts() -> Any:
            return checkpoint.create_selective_checkpoint_contexts(saved)

        return kept(function, *args, context_fn=contexts)

    def stepped(t: Any) -> Any:
        z = t.sin()
        z.mul_(2).add_(1)
        return z * t

    def stepped_row(t: Any, u: Any) -> Any:
        z = t * 1
        z[0] = u.sum()
        return z.exp() * t

    def doubled(t: Any) -> Any:
        """Its gradient is twice what it was."""
        if t.requires_grad:
            t.register_hook(lambda bar: bar * 2)
        return t

    def on_cpu(function: Any, *args: Any) -> Any:
        with torch.autograd.graph.save_on_cpu():
            return kept(function, *args)

    def packed_inside(a: Any, b: Any) -> Any:
        def run(t: Any, u: Any) -> Any:
            with torch.autograd.graph.saved_tensors_hooks(lambda x: x * 1, lambda x: x):
                return t.exp() * u.sin()

        return kept(run, a, b)

    def frozen(t: Any, u: Any) -> Any:
        """Half of it is not recorded."""
        with torch.no_grad():
            z = t.exp()
        return z * u.sin() * t

    def inner_pass(t: Any) -> Any:
        """A gradient inside of the function."""
        with torch.enable_grad():
            leaf = t.detach().requires_grad_()
            (bar,) = torch.autograd.grad(leaf.sin().sum(), leaf)
        return bar * t

    functions = (
        kept,
        again,
        chosen,
        stepped,
        stepped_row,
        doubled,
        on_cpu,
        packed_inside,
        frozen,
        inner_pass,
    )
    return {one.__name__: one for one in functions}
