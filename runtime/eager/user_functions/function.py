"""Operations with a derivative of the user's own: ``Function`` and its context."""

from __future__ import annotations

import functools
import inspect
import itertools
import warnings
from collections.abc import Iterable
from typing import Any

from ...arrays import devices
from ...arrays.libraries import is_cupy
from ...batching.batched_array import memory_of, zeros_beside
from ..batches.crossings import edge_into
from ..batches.custom_functions import batch_of, by_rule
from ..batches.frames import reopened
from ..graph.grad_mode import modes, no_grad
from ..graph.node import GradFn, edge_of, shape_and_type
from ..graph.reopened_tensors import again, result
from ..graph.saved_tensors import FREED, SavedTensor, saved_tensor
from ..graph.tangents import no_tangents
from ..sparse.sparse_tensor import of_array
from ..tensor.tensor import Tensor, of_node, unwrapped, wrapped
from .context import Context
from .function_results import Kept, finished

__all__ = [
    "TWICE",
    "BackwardCFunction",
    "Function",
    "FunctionCtx",
    "InplaceFunction",
    "NestedIOFunction",
    "_ContextMethodMixin",
    "ending",
    "once_differentiable",
]  # fmt: skip


class FunctionCtx:
    """Hands data from ``forward`` to ``backward``."""

    def save_for_backward(self, *tensors: Any) -> None:
        """Keep tensors, checked for writes; anything else may be an attribute."""
        self.to_save = tensors

    def save_for_forward(self, *tensors: Any) -> None:
        """Keep tensors for ``jvp``."""
        self.saved_for_forward = tensors

    def mark_dirty(self, *args: Any) -> None:
        """Say which inputs were written to."""
        self.dirty_tensors = args

    def mark_non_differentiable(self, *args: Any) -> None:
        """Say which results carry no derivative."""
        self.non_differentiable = args

    def set_materialize_grads(self, value: bool) -> None:
        """Sets whether gradients that are not there come as zeros."""
        self.materialize_grads = value

    def mark_shared_storage(self, *pairs: Any) -> None:
        warnings.warn(
            "mark_shared_storage is deprecated. Tensors with shared storages are automatically tracked. Note that calls to "
            "`set_()` are not tracked", FutureWarning, stacklevel=2,
        )  # fmt: skip


_ContextMethodMixin = FunctionCtx


class BackwardCFunction(GradFn, FunctionCtx):
    """The node of a function of the user: its context, too."""

    takes_sparse = True
    _forward_cls: Any = None
    materialize_grads = True
    _materialize_non_diff_grads = True
    dirty_tensors: tuple[Any, ...] = ()
    non_differentiable: tuple[Any, ...] = ()
    to_save: Any = None
    saved_for_forward: tuple[Any, ...] = ()
    needs_input_grad: tuple[bool, ...] = ()

    def __init__(self) -> None:
        super().__init__()
        self._noted: dict[str, Any] = {}  # attributes that the function has given its context
        self.saved: tuple[Any, ...] | None = ()
        self.returned: list[Any] = []
        self.without_slope: list[bool] = []  # of each result that is a tensor
        self.given: list[Any] = []

    def __repr__(self) -> str:
        return f"<{self._forward_cls.__module__}.{type(self).__name__} object at {hex(id(self))}>"

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        """The tensors that ``save_for_backward`` kept."""
        if self.saved is None:
            raise RuntimeError(FREED)
        return tuple(None if s is None else self.opened(s) for s in self.saved)

    @property
    def _raw_saved_tensors(self) -> tuple[SavedTensor, ...]:
        """Handles on them, for hooks of their own."""
        if self.saved is None:
            raise RuntimeError(FREED)
        return tuple(
            saved_tensor(
                self, *((None, None) if s is None else (s.saved, functools.partial(self.opened, s)))
            )
            for s in self.saved
        )

    @property
    def saved_variables(self) -> tuple[Any, ...]:
        warnings.warn(
            "'saved_variables' is deprecated; use 'saved_tensors'", DeprecationWarning, stacklevel=2
        )
        return self.saved_tensors

    def opened(self, kept: Kept) -> Any:
        """A kept tensor: an input is itself, a result a new tensor with this node's history."""
        saved, source = kept.saved, kept.tensor
        whence = (
            (source._grad_fn, source._nr)
            if source is not None and source._grad_fn is not None
            else (self if kept.output is not None else None, kept.output or 0)
        )
        saved.check_version(whence)
        array = saved.unpacked()
        if kept.output is not None:
            return result(self, array, kept.output)
        return again(array, saved, kept.edge) if saved.hooks is not None else source

    def release(self) -> None:
        if self.saved:
            self.saved = None

    def apply(self, *args: Any) -> Any:
        """Run the user's backward."""
        backward, vjp = self._forward_cls.backward, self._forward_cls.vjp
        if backward is not Function.backward and vjp is not Function.vjp:
            raise RuntimeError(
                "Implementing both 'backward' and 'vjp' for a custom Function is not allowed. You should only "
                "implement one of them."
            )
        return (vjp if vjp is not Function.vjp else backward)(Context(self), *args)

    def apply_jvp(self, *args: Any) -> Any:
        return self._forward_cls.jvp(Context(self), *args)

    def __getattr__(self, name: str) -> Any:
        noted = self.__dict__.get("_noted", {})
        if name not in noted:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        return noted[name]

    def run(self, bars: list[Any], create: bool) -> tuple[Any, ...]:
        given: list[Any] = []
        position = 0
        for kind in self.returned:
            if kind is None:
                given.append(None)
                continue
            bar = bars[position]
            if bar is not None and not isinstance(bar, Tensor):
                bar = of_array(bar)
            if bar is None and self.gets_zeros(position):
                one = next((unwrapped(b) for b in bars if b is not None), None)
                bar = wrapped(zeros_beside(one, *kind))
            position += 1
            given.append(bar)
        with reopened(self.frames):
            found = self.apply(*given)
        found = found if isinstance(found, tuple) else (found,)
        return tuple(v if v is None or create else v._array for v in self.checked(found))

    def gets_zeros(self, position: int) -> bool:
        """True if the user's backward gets zeros for a result that no gradient has arrived for."""
        if not self.materialize_grads:
            return False
        return self._materialize_non_diff_grads or not self.without_slope[position]

    def checked(self, found: tuple[Any, ...]) -> list[Any]:
        """One gradient for each tensor that was given, if ``backward`` returned fitting ones."""
        name, n = type(self).__name__, len(self.given)
        if len(found) > n and all(v is None for v in found[n:]):
            found = found[:n]
        if len(found) != n:
            raise RuntimeError(
                f"function {name} returned an incorrect number of gradients (expected {n}, got {len(found)})"
            )
        made: list[Any] = []
        for k, (x, v) in enumerate(zip(self.given, found, strict=True)):
            if not isinstance(x, tuple):
                if v is not None:
                    raise RuntimeError(
                        f"function {name} returned a gradient different than None at position {k + 1}, but the "
                        "corresponding forward input was not a Variable"
                    )
                continue
            if v is not None and not isinstance(v, Tensor):
                raise RuntimeError(f"expected Variable or None (got {type(v).__name__})")
            made.append(fitting(name, k, v, x) if self.edges[len(made)] is not None else None)
        return made

    def name(self) -> str:
        return type(self).__name__


def shape_and_place(x: Any) -> tuple[tuple[int, ...], bool]:
    """What gradients of an input have to have: its shape; and whether it is on the device."""
    return x._array.shape, is_cupy(memory_of(x._array))


def fitting(name: str, k: int, v: Any, x: tuple[tuple[int, ...], bool]) -> Any:
    """A gradient in the shape of its input: summed where it is broadcast."""
    shape, far = x
    if v is not None and is_cupy(memory_of(v._array)) is not far:
        there = f"cuda:{devices.current()}"
        wanted, own = (there, "cpu") if far else ("cpu", there)
        raise RuntimeError(
            f"Function {name} returned an invalid gradient at index {k} - expected device {wanted} but got {own}"
        )
    if v is None or v._array.shape == shape:
        return v
    own = v._array.shape
    lead = len(own) - len(shape)
    fits = lead >= 0 and all(m in (1, n) for n, m in zip(own[lead:], shape, strict=True))
    if not fits:
        raise RuntimeError(
            f"Function {name} returned an invalid gradient at index {k} - got {list(own)} but expected shape "
            f"compatible with {list(shape)}"
        )
    v = v.sum(tuple(range(lead))) if lead else v
    thin = tuple(d for d, (n, m) in enumerate(zip(own[lead:], shape, strict=True)) if m == 1 != n)
    return v.sum(thin, keepdim=True) if thin else v


NO_NODE = (
    "Attribute '{}' is invalid for this instance of _C._FunctionBase. Accessing this attribute directly on an instance "
    "of autograd.Function is a legacy access pattern that is no longer supported. For examples on how to use new-style "
    "autograd functions, see https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function "
)
OF_NODES = {
    **dict.fromkeys(
        ("_register_hook_dict", "register_hook", "register_prehook", "next_functions", "name", "_sequence_nr",
         "_set_sequence_nr", "_input_metadata"), NO_NODE,
    ),
    "metadata": "You attempted to access the anomaly metadata of a custom autograd function but the underlying PyNode has "
    "already been deallocated.",
}  # fmt: skip


class FunctionMeta(type):
    """Every function has a class of nodes of its own."""

    def __init__(cls, name: str, bases: tuple[type, ...], attributes: dict[str, Any]) -> None:
        backward = type(f"{name}Backward", (BackwardCFunction,), {"_forward_cls": cls})
        cls._backward_cls: Any = backward
        super().__init__(name, bases, attributes)


class Function(FunctionCtx, metaclass=FunctionMeta):
    """An operation with a backward (and a jvp) of its own.

    >>> class Exp(Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         y = x.exp()
    ...         ctx.save_for_backward(y)
    ...         return y
    ...     @staticmethod
    ...     def backward(ctx, y_bar):
    ...         (y,) = ctx.saved_tensors
    ...         return y_bar * y
    """

    generate_vmap_rule = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        warnings.warn(
            f"{type(self)} should not be instantiated. Methods on autograd functions are all static, so you should "
            "invoke them on the class itself. Instantiating an autograd function will raise an error in a future "
            "version of PyTorch.",
            DeprecationWarning, stacklevel=2,
        )  # fmt: skip

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError(
            "Legacy autograd function with non-static forward method is deprecated. Please use new-style autograd "
            "function with static forward method. (Example: "
            "https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)"
        )

    def __getattr__(self, name: str) -> Any:
        if name in OF_NODES:
            raise RuntimeError(OF_NODES[name].format(name))
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(
            "You must implement the forward function for custom autograd.Function."
        )

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom autograd.Function to use it with "
            "backward mode AD."
        )

    @staticmethod
    def vjp(ctx: Any, *grad_outputs: Any) -> Any:
        return Function.backward(ctx, *grad_outputs)

    @staticmethod
    def jvp(ctx: Any, *grad_inputs: Any) -> Any:
        raise NotImplementedError(
            "You must implement the jvp function for custom autograd.Function to use it with forward mode AD."
        )

    @staticmethod
    def vmap(info: Any, in_dims: Any, *args: Any) -> Any:
        raise NotImplementedError(
            "To use autograd.Function with vmap, you must either override the vmap staticmethod or set "
            "generate_vmap_rule=True."
        )

    @classmethod
    def has_vmap(cls) -> bool:
        return cls.vmap is not Function.vmap

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Run ``forward``, and record it."""
        if modes.frames and (cls.has_vmap() or not cls.generate_vmap_rule):
            frame = batch_of(args)
            if frame is not None:
                return by_rule(cls, frame, args, kwargs)

        ctx = cls._backward_cls()
        tensors = [a for a in args if isinstance(a, Tensor)]
        ctx.needs_input_grad = tuple(isinstance(a, Tensor) and a.requires_grad for a in args)
        recording = modes.grad and any(ctx.needs_input_grad)
        ctx.frames = modes.frames
        ctx.edges = tuple(edge_into(a) if recording and a.requires_grad else None for a in tensors)
        ctx.given = [shape_and_place(a) if isinstance(a, Tensor) else None for a in args]
        versions = {id(a): a._counter[0] for a in tensors}
        with no_grad(), no_tangents():
            if cls.setup_context is Function.setup_context:
                found = cls.forward(Context(ctx), *args, **kwargs)
            else:
                found = cls.forward(*args, **kwargs)
                cls.setup_context(Context(ctx), with_defaults(cls.forward, args, kwargs), found)
        return finished(ctx, args, found, recording, versions)


def with_defaults(forward: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    """The arguments with the defaults of ``forward`` filled in."""
    bound = inspect.signature(forward).bind(*args, **kwargs)
    bound.apply_defaults()
    return tuple(bound.args) + tuple(bound.kwargs.values())


# -- kinds of functions ---------------------------------------------------------------------------


TWICE = "trying to differentiate twice a function that was marked with @once_differentiable"


class Error(GradFn):
    """The node after a derivative that cannot be differentiated again."""

    text = TWICE

    def run(self, bars: list[Any], create: bool) -> tuple[Any, ...]:
        raise RuntimeError(self.text)


def once_differentiable(fn: Any) -> Any:
    """A backward whose result cannot be differentiated again."""

    @functools.wraps(fn)
    def wrapper(ctx: Any, *args: Any) -> Any:
        with no_grad():
            found = fn(ctx, *args)
        if not modes.grad or not any(isinstance(a, Tensor) and a.requires_grad for a in args):
            return found
        several = isinstance(found, tuple)
        edges = [edge_of(a) for a in args if isinstance(a, Tensor) and a.requires_grad]
        made = ending(found if several else (found,), edges)
        return made if several else made[0]

    return wrapper


def ending(found: Iterable[Any], edges: Iterable[Any], text: str = TWICE) -> tuple[Any, ...]:
    """Gradients that cannot be differentiated again: who goes back through them is told why."""
    found = tuple(found)
    given = [v for v in found if v is not None]
    node = Error(tuple(edges), tuple(shape_and_type(v._array) for v in given))
    node.text = text
    numbers = itertools.count()
    return tuple(None if v is None else of_node(v._array, node, next(numbers)) for v in found)


class InplaceFunction(Function):
    """Kept for old programs: says whether it works in place."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace


class NestedIOFunction(Function):
    """Kept for old programs: functions of nested containers."""

    def _do_forward(self, *input: Any) -> Any:
        raise AttributeError("_do_forward")

    @property
    def saved_tensors(self) -> Any:
        return getattr(self, "_nested", ())

    def forward(self, *args: Any) -> Any:  # type: ignore[override]
        return self.forward_extended(*args)

    def backward(self, *gradients: Any) -> Any:  # type: ignore[override]
        return self.backward_extended(*gradients)

    def forward_extended(self, *input: Any) -> None:
        raise NotImplementedError

    def backward_extended(self, *grad_output: Any) -> None:
        raise NotImplementedError
