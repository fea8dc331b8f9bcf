"""What nodes show of what they keep (`_saved_...`, `_raw_saved_...`): the names of torch, over the table of calls."""

from __future__ import annotations

import gc
import warnings
from typing import Any

import pytest

import retrograd

from .calls import Call, parts
from .surface import raises, row, same
from .test_calls import CALLS

COMPUTED = "the adjoint is written by other values than torch's formula, and keeps those"
OPTION = "an option of the call, which the adjoint has in another form"

# What torch shows and retrograd does not, with the reason.  Options have no handle.
MISSING = {
    COMPUTED: """
        AdaptiveMaxPool2DBackward0 self result1
        AddmmBackward0 mat1 mat2
        AminmaxBackward0 self min max
        ConvolutionBackward0 input weight
        CummaxBackward0 self
        CumminBackward0 self
        CumprodBackward0 result
        ErfinvBackward0 self
        HardshrinkBackward0 self
        HardtanhBackward0 self
        IndexPutBackward0 indices
        IndexReduceBackward0 self index source result
        LeakyReluBackward0 self
        LinalgDetBackward0 LU pivots result
        LinalgSlogdetBackward0 LU pivots sign
        LogSigmoidBackward0 buffer
        MaxPool2DWithIndicesBackward0 self result1
        MaxPool3DWithIndicesBackward0 self result1
        PutBackward0 index source
        ScatterReduceBackward0 self index src result
        SoftshrinkBackward0 self
        StdMeanBackward0 self result0
        ThresholdBackward0 self
        VarMeanBackward0 self
    """,
    OPTION: """
        AddBackward0 alpha
        AddmmBackward0 alpha beta mat1_sym_sizes mat1_sym_strides mat2_sym_sizes mat2_sym_strides
        AminmaxBackward0 dim keepdim
        ConstantPadNdBackward0 pad
        ConvolutionBackward0 bias_sym_sizes_opt groups output_padding padding transposed
        CummaxBackward0 dim
        CumminBackward0 dim
        CumprodBackward0 dim
        CumsumBackward0 dim
        DiagonalBackward0 dim1 dim2
        FlipBackward0 dims
        HardshrinkBackward0 lambd
        HardtanhBackward0 min_val max_val
        IndexPutBackward0 accumulate
        IndexReduceBackward0 dim include_self reduce
        KthvalueBackward0 dim keepdim
        LeakyReluBackward0 negative_slope
        LinalgCrossBackward0 dim
        LinalgSolveTriangularBackward0 left unitriangular upper
        LinalgSvdBackward0 S_sym_argsize_minus_1 full_matrices
        LinalgVectorNormBackward0 dim keepdim
        LogSoftmaxBackward0 dim
        MaxPool2DWithIndicesBackward0 ceil_mode dilation kernel_size padding stride
        MaxPool3DWithIndicesBackward0 ceil_mode dilation kernel_size padding stride
        MeanBackward1 dim keepdim
        MmBackward0 mat2_sym_sizes mat2_sym_strides self_sym_sizes self_sym_strides
        ModeBackward0 dim keepdim
        PermuteBackward0 dims
        PutBackward0 accumulate
        RollBackward0 dims shifts
        Rot90Backward0 dims
        ScatterReduceBackward0 dim include_self reduce
        SoftmaxBackward0 dim
        SoftshrinkBackward0 lambd
        SortBackward0 dim
        SqueezeBackward1 dim
        StdMeanBackward0 correction dim keepdim
        SubBackward0 alpha
        ThresholdBackward0 threshold
        TransposeBackward0 dim0 dim1
        UnsafeViewBackward0 self_sym_sizes
        UnsqueezeBackward0 dim
        VarMeanBackward0 correction dim keepdim
    """,
}


def left_out(node: str) -> set[str]:
    """The names that a node does not show."""
    found = set()
    for reason, text in MISSING.items():
        for line in text.strip().splitlines():
            name, *values = line.split()
            if name == node:
                found |= {f"_saved_{value}" for value in values}
                found |= {f"_raw_saved_{value}" for value in values if reason is COMPUTED}
    return found


def nodes(module: Any, text: str) -> dict[str, list[Any]]:
    """The nodes behind what a call gives, by name."""
    found: dict[str, list[Any]] = {}
    ahead = [one.grad_fn for one in parts(Call(text).run(module)) if isinstance(one, module.Tensor)]
    seen = set()
    while ahead:
        node = ahead.pop()
        if node is not None and node not in seen:
            seen.add(node)
            found.setdefault(node.name(), []).append(node)
            ahead += [other for other, _ in node.next_functions]
    return found


def names(node: Any) -> set[str]:
    return {name for name in dir(node) if name.startswith(("_saved_", "_raw_saved_"))}


def value_text(value: Any, module: Any) -> str:
    """A value as it can be compared: tensors by shape and type."""
    if isinstance(value, module.Tensor):
        return f"{value.dtype} {tuple(value.shape)}".rpartition(".")[2]
    if isinstance(value, (tuple, list)):
        return str([value_text(one, module) for one in value])
    return str(float(value)) if isinstance(value, (int, float)) else str(value)


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    """For each node that both libraries make out of a call: the names and the values of both."""
    torch = pytest.importorskip("torch")
    found: dict[str, Any] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _, text in CALLS:
            try:
                theirs = nodes(torch, text)
            except (AttributeError, RuntimeError):  # not in this version
                continue
            ours = nodes(retrograd, text)
            for name in theirs.keys() & ours.keys():
                note = found.setdefault(name, (set(), set(), []))
                note[0].update(*map(names, theirs[name]))
                note[1].update(*map(names, ours[name]))
                if {"torch::autograd::AccumulateGrad", name} == theirs.keys() == ours.keys():
                    note[2].append((text, theirs[name][0], ours[name][0]))
    return found


def test_names(made: Any) -> None:
    wrong = {}
    for node, (theirs, ours, _) in made.items():
        if ours != theirs - left_out(node):
            wrong[node] = sorted(theirs - ours), sorted(ours - theirs)
    assert not wrong
    assert len(made) > 80 and sum(theirs == ours for theirs, ours, _ in made.values()) >= 30
    listed = {line.split()[0] for text in MISSING.values() for line in text.strip().splitlines()}
    assert listed <= made.keys()


def test_values(made: Any) -> None:
    """What both show of a call that is one node is of the same type and shape, or the same number."""
    torch = pytest.importorskip("torch")
    wrong = []
    for node, (_, _, pairs) in made.items():
        for text, theirs, ours in pairs:
            for name in names(theirs) & names(ours):
                if name.startswith("_saved_"):
                    one, other = value_text(getattr(theirs, name), torch), value_text(getattr(ours, name), retrograd)  # fmt: skip
                    if one != other:
                        wrong.append((node, name, text, one, other))
                else:
                    assert isinstance(getattr(ours, name), (tuple, retrograd.autograd.SavedTensor))
    assert not wrong, "\n".join(map(str, wrong))


@row("T337")
def test_t337_the_same_handle_each_time(torch: Any) -> None:
    x, i = torch.tensor([1.0, 2.0, 3.0], requires_grad=True), torch.tensor([0, 1])
    for node, name in (
        (x.exp().grad_fn, "result"), ((x * x).grad_fn, "self"), ((x * x).grad_fn, "other"), ((x**2).grad_fn, "self"),
        ((2.0**x).grad_fn, "exponent"), (x.max(0)[0].grad_fn, "indices"), (torch.where(x > 1, x, 0.0).grad_fn, "condition"),
    ):  # fmt: skip
        handle = getattr(node, f"_raw_saved_{name}")
        assert isinstance(handle, torch.autograd.SavedTensor)
        assert getattr(node, f"_raw_saved_{name}") is handle
    node = (x * x).grad_fn
    assert node._raw_saved_self is not node._raw_saved_other
    node = x.view(1, 3)[:, i].grad_fn
    handles = node._raw_saved_indices
    assert type(handles) is tuple and len(handles) == 2
    again = node._raw_saved_indices
    assert all(a is b for a, b in zip(handles, again, strict=True))
    assert node._saved_indices[0] is None and same(node._saved_indices[1], [0, 1])
    with raises(
        RuntimeError, "Calling register_hooks on a saved tensor with value None is forbidden"
    ):
        handles[0].register_hooks(lambda x: x, lambda x: x)


@row("T337")
@row("T338")
def test_t337_t338_handles_after_the_pass(torch: Any) -> None:
    x, i = torch.tensor([1.0, 2.0], requires_grad=True), torch.tensor([0, 0])
    y, z = x.exp(), x[i]
    handle, node = y.grad_fn._raw_saved_result, z.grad_fn
    (y.sum() + z.sum()).backward()
    assert y.grad_fn._raw_saved_result is handle
    text = "Trying to backward through the graph a second time"
    for name in ("_saved_indices", "_raw_saved_indices"):
        with raises(RuntimeError, text):
            getattr(node, name)
    with raises(RuntimeError, "Calling register_hooks on a saved tensor after it has been freed."):
        handle.register_hooks(lambda x: x, lambda x: x)


@row("T336")
def test_t336_powers(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    node = (2.0**x).grad_fn
    assert (
        node._saved_self == 2.0
        and node._saved_exponent is x
        and same(node._saved_result, [2.0, 4.0])
    )
    assert not hasattr(node, "_raw_saved_self") and not hasattr(
        (x**2).grad_fn, "_raw_saved_exponent"
    )
    node = (x**x).grad_fn
    assert node._saved_self is x and node._saved_exponent is x


def test_handles_keep_nothing_alive() -> None:
    """A node and its handles go without the garbage collector."""
    import weakref

    x = retrograd.tensor([1.0], requires_grad=True)
    y = x.exp()
    handle = y.grad_fn._raw_saved_result
    gone = weakref.ref(y.grad_fn)
    gc.disable()
    try:
        del y, handle
        assert gone() is None
    finally:
        gc.enable()


def test_hooks_on_indices_are_refused() -> None:
    """They would not be called on the way back, since the adjoint reads a copy."""
    x = retrograd.tensor([1.0, 2.0, 3.0], requires_grad=True)
    (handle,) = x[retrograd.tensor([0, 1])].grad_fn._raw_saved_indices
    for one in (handle, x.max(0)[0].grad_fn._raw_saved_indices):
        with raises(RuntimeError, "torch does not call hooks for this value"):
            one.register_hooks(lambda kept: kept, lambda kept: kept)
