"""What PyTorch has and this is not about: whoever asks for it is told what there is instead.

The eager API is `torch.autograd` with the tensors and functions it needs.  A name in the table is refused where
it is an attribute (AttributeError), and where it is imported (ImportError).
"""

from __future__ import annotations

import sys
from typing import Any

from .habits import here

__all__ = ["Refusing", "instead", "missing"]

PAGE = "docs/eager_scope.md lists what is out of scope"
LAYERS = {  # layers, activations and losses as classes: the function of each
    "AdaptiveAvgPool1d": "adaptive_avg_pool1d", "AdaptiveAvgPool2d": "adaptive_avg_pool2d", "AvgPool1d": "avg_pool1d",
    "AvgPool2d": "avg_pool2d", "AvgPool3d": "avg_pool3d", "BCELoss": "binary_cross_entropy",
    "BCEWithLogitsLoss": "binary_cross_entropy_with_logits", "BatchNorm1d": "batch_norm", "BatchNorm2d": "batch_norm",
    "BatchNorm3d": "batch_norm", "Bilinear": "bilinear", "CELU": "celu", "CTCLoss": "ctc_loss", "Conv1d": "conv1d",
    "Conv2d": "conv2d", "Conv3d": "conv3d", "ConvTranspose1d": "conv_transpose1d", "ConvTranspose2d": "conv_transpose2d",
    "ConvTranspose3d": "conv_transpose3d", "CosineSimilarity": "cosine_similarity", "CrossEntropyLoss": "cross_entropy",
    "Dropout": "dropout", "ELU": "elu", "Embedding": "embedding", "GELU": "gelu", "GLU": "glu", "GroupNorm": "group_norm",
    "Hardtanh": "hardtanh", "HuberLoss": "huber_loss", "InstanceNorm2d": "instance_norm", "KLDivLoss": "kl_div",
    "L1Loss": "l1_loss", "LayerNorm": "layer_norm", "LeakyReLU": "leaky_relu", "Linear": "linear",
    "LogSigmoid": "logsigmoid", "LogSoftmax": "log_softmax", "MSELoss": "mse_loss", "MaxPool1d": "max_pool1d",
    "MaxPool2d": "max_pool2d", "MaxPool3d": "max_pool3d", "Mish": "mish", "MultiheadAttention": "scaled_dot_product_attention",
    "NLLLoss": "nll_loss", "PReLU": "prelu", "RMSNorm": "rms_norm", "ReLU": "relu", "ReLU6": "relu6", "SELU": "selu",
    "SiLU": "silu", "Sigmoid": "sigmoid", "SmoothL1Loss": "smooth_l1_loss", "Softmax": "softmax", "Softplus": "softplus",
    "Softsign": "softsign", "Tanh": "tanh", "TripletMarginLoss": "triplet_margin_loss", "Upsample": "interpolate",
}  # fmt: skip
MODULE = "a function of tensors, its parameters in a dict or a list (`nn.Parameter`)"
CELL = "its cell as a function: `nn.functional.linear`, `sigmoid`, `tanh` (benchmarks/scripts has a GRU and an LSTM)"
BY_HAND = "`optim.SGD`, `optim.Adam`, or the step by hand under `no_grad()`"
WHOLE = "`rg.differentiate`, which compiles functions of arrays"
STORED = "`pickle`, `copy.deepcopy`, or `numpy.save` of `x.numpy()`"
THIS_MACHINE = "the main memory of one process"
INSTEAD = {
    **{f"nn.{name}": f"`nn.functional.{function}`" for name, function in LAYERS.items()},
    **{f"nn.{name}": MODULE for name in ("Module", "ModuleDict", "ModuleList", "ParameterDict", "ParameterList", "modules")},
    **{f"nn.{name}": "the functions, one after the other" for name in ("Flatten", "Identity", "Sequential", "Unflatten")},
    **{f"nn.{name}": CELL for name in ("GRU", "GRUCell", "LSTM", "LSTMCell", "RNN", "RNNCell")},
    **{
        f"nn.{name}": "`nn.functional.scaled_dot_product_attention`"
        for name in ("Transformer", "TransformerEncoder", "TransformerEncoderLayer", "TransformerDecoder", "TransformerDecoderLayer")
    },
    "nn.init": "`torch.randn`, `torch.rand` and their like, with a factor",
    "nn.utils": "the same on a list of gradients: a norm, a product",
    "nn.DataParallel": THIS_MACHINE,
    "nn.parallel": THIS_MACHINE,
    **{
        f"optim.{name}": BY_HAND
        for name in ("ASGD", "Adadelta", "AdamW", "Adamax", "NAdam", "Optimizer", "RAdam", "RMSprop", "Rprop")
    },
    "optim.LBFGS": "`scipy.optimize.minimize` (benchmarks/scripts/lbfgs.py)",
    "optim.lr_scheduler": "`group['lr'] = ...` for each of `optimizer.param_groups`",
    "optim.swa_utils": "a mean of the parameters",
    "utils.data": "arrays of NumPy and their indices",
    "utils.tensorboard": "any other log",
    "utils.cpp_extension": "`autograd.Function`",
    "save": STORED,
    "load": STORED,
    "serialization": STORED,
    "compile": WHOLE,
    "jit": WHOLE,
    "fx": WHOLE,
    "export": WHOLE,
    "onnx": WHOLE,
    "_dynamo": WHOLE,
    "amp": "tensors of the type that is computed in (`x.to(torch.float32)`)",
    "autocast": "tensors of the type that is computed in (`x.to(torch.float32)`)",
    **{
        f"distributed.{name}": "`rg.distributed.value_and_grad`, which takes a client and gives the sum"
        for name in ("all_gather", "all_reduce", "barrier", "get_rank", "get_world_size", "init_process_group")
    },
    "multiprocessing": THIS_MACHINE,
    "futures": THIS_MACHINE,
    "hub": STORED,
    "quantization": "floats",
    "ao": "floats",
    "nested": "a list of tensors",
    "library": "`autograd.Function`",
    "profiler": "`autograd.profiler`",
    "FloatStorage": "`x.numpy()`",
    "UntypedStorage": "`x.numpy()`",
}  # fmt: skip


def instead(name: str) -> str | None:
    """What there is instead of ``retrograd.<name>``, if that (or what it is a part of) is out of scope."""
    while name:
        if name in INSTEAD:
            return INSTEAD[name]
        name = name.rpartition(".")[0]
    return None


def said(name: str) -> str:
    """What is said of ``retrograd.<name>``; an empty text where the name is nowhere in the table."""
    found = instead(name)
    if found is None:
        return here(name, [])
    return f": it is out of scope here; use {found}, or PyTorch ({PAGE})"


def missing(space: str, name: str) -> AttributeError:
    """The error for an attribute that a module (``retrograd`` or a part of it) does not have."""
    whole = f"{space}.{name}".removeprefix("retrograd.")
    more = said(whole)
    if not more and space == "retrograd" and not name.startswith("_"):
        more = here(name, vars(sys.modules[space])["__all__"])
    return AttributeError(f"module '{space}' has no attribute {name!r}{more}", name=name)


class Refusing:
    """A finder of modules, the last that is asked: it refuses the import of what is out of scope."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> None:
        """Nothing is found; a name in the table is an error that says more than that."""
        part = name.removeprefix("retrograd.")
        text = said(part) if part != name else ""
        if text:
            raise ImportError(f"no module or name {name!r}{text}", name=name)


if Refusing not in sys.meta_path:
    sys.meta_path.append(Refusing)  # type: ignore[arg-type]
