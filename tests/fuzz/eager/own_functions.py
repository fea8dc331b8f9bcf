"""What programs call by name: functions with a backward of their own in every form, ways to keep and to push."""

from __future__ import annotations

from typing import Any

__all__ = ["own_functions"]


def own_functions(torch: Any) -> dict[str, Any]:
    """Functions with a backward of their own in every form, and ones that keep and push in ways of their own."""
    Function = torch.autograd.Function
    fw = torch.autograd.forward_ad
    graph = torch.autograd.graph

    class Twice(Function):  # type: ignore[misc,valid-type]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def backward(ctx: Any, bar: Any) -> Any:
            return bar * 2

    class Times(Function):  # type: ignore[misc,valid-type]
        @staticmethod
        def forward(ctx: Any, x: Any, y: Any) -> Any:
            ctx.save_for_backward(x, y)
            return x * y

        @staticmethod
        def backward(ctx: Any, bar: Any) -> Any:
            x, y = ctx.saved_tensors
            return (bar * y).sum_to_size(x.shape), (bar * x).sum_to_size(y.shape)

    class Doubled(Function):  # type: ignore[misc,valid-type]
        """In place."""

        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            x.mul_(2)
            ctx.mark_dirty(x)
            return x

        @staticmethod
        def backward(ctx: Any, bar: Any) -> Any:
            return bar * 2

    class Both(Function):  # type: ignore[misc,valid-type]
        """Of two results one may have no gradient."""

        @staticmethod
        def forward(ctx: Any, x: Any, y: Any) -> Any:
            ctx.set_materialize_grads(False)
            return x.sin(), y.cos()

        @staticmethod
        def backward(ctx: Any, x_bar: Any, y_bar: Any) -> Any:
            return None if x_bar is None else x_bar * 3, None if y_bar is None else y_bar * 5

    class Signs(Function):  # type: ignore[misc,valid-type]
        """The second result has no derivative."""

        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            signs = x.sign()
            ctx.mark_non_differentiable(signs)
            return x.abs(), signs

        @staticmethod
        def backward(ctx: Any, bar: Any, _: Any) -> Any:
            return bar

    class Once(Function):  # type: ignore[misc,valid-type]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 4

        @staticmethod
        @torch.autograd.function.once_differentiable  # type: ignore[misc]
        def backward(ctx: Any, bar: Any) -> Any:
            return bar * 4

    class Kept(Function):  # type: ignore[misc,valid-type]
        """Its result is what it keeps."""

        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            z = x.exp()
            ctx.save_for_backward(z)
            return z

        @staticmethod
        def backward(ctx: Any, bar: Any) -> Any:
            (z,) = ctx.saved_tensors
            return bar * z

    def packed(a: Any, b: Any) -> Any:
        with graph.saved_tensors_hooks(lambda t: t.clone(), lambda t: t):
            return a * b.exp()

    def saved_twice(a: Any, b: Any) -> Any:
        with graph.save_on_cpu(), graph.saved_tensors_hooks(lambda t: t * 1, lambda t: t):
            return (a * b).sin()

    def pushed(a: Any, b: Any) -> Any:
        with fw.dual_level():
            dual = fw.make_dual(a, torch.ones_like(a))
            return fw.unpack_dual(dual * b + dual.sin()).tangent

    return {
        "Twice": Twice, "Times": Times, "Doubled": Doubled, "Both": Both, "Signs": Signs, "Once": Once, "Kept": Kept,
        "packed": packed, "saved_twice": saved_twice, "pushed": pushed,
    }  # fmt: skip
