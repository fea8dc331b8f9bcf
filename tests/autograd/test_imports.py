"""Modules are imported as those of torch are: by name, from each other, under another name."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from types import ModuleType
from typing import Any

import pytest

from .surface import module

MODULES = {  # what each module has, by the names that torch gives it
    "autograd": "Function NestedIOFunction Variable backward detect_anomaly enable_grad grad gradcheck gradgradcheck"
    " inference_mode no_grad set_detect_anomaly set_grad_enabled set_multithreading_enabled",
    "autograd.anomaly_mode": "detect_anomaly set_detect_anomaly",
    "autograd.forward_ad": "UnpackedDualTensor _current_level dual_level enter_dual_level exit_dual_level make_dual"
    " unpack_dual",
    "autograd.function": "BackwardCFunction Function FunctionCtx FunctionMeta InplaceFunction NestedIOFunction"
    " once_differentiable",
    "autograd.functional": "hessian hvp jacobian jvp vhp vjp",
    "autograd.grad_mode": "enable_grad inference_mode no_grad set_grad_enabled set_multithreading_enabled",
    "autograd.gradcheck": "GradcheckError gradcheck gradgradcheck",
    "autograd.graph": "GradientEdge Node allow_mutation_on_saved_tensors disable_saved_tensors_hooks"
    " get_gradient_edge increment_version register_multi_grad_hook save_on_cpu saved_tensors_hooks",
    "autograd.profiler": "EnforceUnique EventList FunctionEvent KinetoStepTracker MemRecordsAcc emit_itt emit_nvtx"
    " load_nvprof parse_nvprof_trace profile record_function",
    "autograd.profiler_util": "EventList FunctionEvent FunctionEventAvg Interval Kernel MemRecordsAcc StringTable",
    "autograd.variable": "Variable",
    "distributions": "Exponential Laplace LogNormal Normal Uniform",
    "fft": "fft fftn ifft irfft rfft",
    "func": "functional_call grad grad_and_value hessian jacfwd jacrev jvp vjp vmap",
    "linalg": "cholesky det eigh inv norm qr slogdet solve svd",
    "nn": "Parameter",
    "nn.functional": "conv2d cross_entropy linear mse_loss relu softmax",
    "nn.parameter": "Parameter",
    "optim": "Adam SGD",
    "special": "erf expit gammaln logsumexp xlogy",
    "utils.checkpoint": "CheckpointError CheckpointFunction GraphExecGroup check_backward_validity checkpoint"
    " checkpoint_sequential detach_variable noop_context_fn set_checkpoint_debug_enabled set_checkpoint_early_stop",
}


SHADOWED = (
    "autograd.gradcheck",
    "autograd.variable",
)  # by functions of the same name, the latter in torch alone


@pytest.mark.parametrize("name", MODULES)
def test_names_of_a_module(torch: Any, name: str) -> None:
    found = import_module(f"{torch.__name__}.{name}")
    assert isinstance(found, ModuleType)
    assert [one for one in MODULES[name].split() if not hasattr(found, one)] == []


@pytest.mark.parametrize("name", [name for name in MODULES if name not in SHADOWED])
def test_a_module_is_an_attribute_of_the_one_above(torch: Any, name: str) -> None:
    above, _, last = f"{torch.__name__}.{name}".rpartition(".")
    assert getattr(import_module(above), last) is import_module(f"{torch.__name__}.{name}")


def test_gradcheck_is_the_function_and_a_module(torch: Any) -> None:
    found = import_module(f"{torch.__name__}.autograd.gradcheck")
    assert torch.autograd.gradcheck is found.gradcheck
    assert issubclass(found.GradcheckError, RuntimeError)


STATEMENTS = (
    "import torch.autograd; torch.autograd.gradcheck.__name__",
    "import torch.autograd as ag; ag.backward",
    "import torch.autograd.forward_ad as fwAD; fwAD.dual_level",
    "import torch.autograd.gradcheck; callable(torch.autograd.gradcheck) or 1 / 0",
    "import torch.autograd.functional as AF; AF.jacobian",
    "import torch.autograd.graph; torch.autograd.graph.saved_tensors_hooks",
    "import torch.autograd.profiler as profiler; profiler.profile",
    "import torch.autograd.profiler; torch.autograd.profiler.record_function",
    "import torch.backends.cudnn as cudnn; cudnn.benchmark",
    "import torch.cuda; torch.cuda.is_available()",
    "import torch.distributions as D; D.Normal",
    "import torch.fft, torch.special; torch.fft.fft, torch.special.erf",
    "import torch.func as func; func.jacrev",
    "import torch.linalg as LA; LA.norm",
    "import torch.nn as nn; nn.Parameter, nn.functional.relu",
    "import torch.nn.functional as F; F.relu",
    "import torch.optim as optim; optim.SGD",
    "import torch.utils.checkpoint as cp; cp.checkpoint",
    "from torch import Tensor, cuda, func, linalg, nn, optim, vmap; Tensor, cuda.device_count()",
    "from torch import enable_grad, inference_mode, no_grad, set_grad_enabled",
    "from torch import autograd, nn; autograd.grad, nn.Parameter",
    "from torch.autograd import Function, Variable, forward_ad, functional, gradcheck, graph; gradcheck.__name__",
    "from torch.autograd.anomaly_mode import detect_anomaly",
    "from torch.autograd.function import Function, once_differentiable",
    "from torch.autograd.functional import hessian, jacobian",
    "from torch.autograd.grad_mode import no_grad",
    "from torch.autograd.gradcheck import GradcheckError, gradcheck",
    "from torch.autograd.forward_ad import dual_level, make_dual, unpack_dual",
    "from torch.autograd.graph import Node, register_multi_grad_hook, saved_tensors_hooks",
    "from torch.autograd.profiler import profile, record_function",
    "from torch.autograd.profiler_util import EventList",
    "from torch.autograd.variable import Variable",
    "from torch.distributions import Normal",
    "from torch.func import functional_call, grad, grad_and_value, hessian, jacfwd, jacrev, jvp, vjp, vmap",
    "from torch.nn import Parameter, functional as F; F.linear",
    "from torch.linalg import solve",
    "from torch.nn.functional import relu",
    "from torch.nn.parameter import Parameter",
    "from torch.optim import SGD",
    "from torch.utils.checkpoint import checkpoint",
)


@pytest.mark.parametrize("statement", STATEMENTS)
def test_statement(statement: str) -> None:
    exec(statement.replace("torch", module().__name__), {})


FIRST = (
    "import torch.autograd.forward_ad as fwAD; fwAD.dual_level",
    "from torch.autograd.gradcheck import GradcheckError",
    "from torch.nn.parameter import Parameter; assert str(Parameter()).startswith('Parameter containing')",
    "import torch.nn.functional as F; F.relu",
    "from torch.utils.checkpoint import checkpoint",
)


@pytest.mark.parametrize("statement", FIRST)
def test_statement_that_is_the_first_of_a_program(statement: str) -> None:
    text = statement.replace("torch", module().__name__)
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
