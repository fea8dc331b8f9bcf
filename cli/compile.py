"""``retrograd compile``: derivatives compiled beforehand, so that no process of a deployment waits for them."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from .modes import chosen
from .project import project_of
from .targets import NotFound, Target, load_module, looks_like_file, reach, resolve, shown

__all__ = ["add"]

ABOUT = """\
Compile derivatives and keep them in the cache, where the processes of a deployment find them: texts,
and with a back end their kernels.  FILE (or a module): what it makes derivatives of when it is imported,
the gradients of its decorated functions and its names like `slope = rg.grad(loss)`.  FILE:FUNCTION: the
derivatives that --mode names.  Nothing: those that pyproject.toml lists."""
EXAMPLES = """\
examples:
  retrograd compile model.py
  retrograd compile model.py --cache build/gradients     ship it; RETROGRAD_CACHE=build/gradients there
  retrograd compile model.py:loss --mode grad,hessian --wrt w --sig "w: f8[d], x: f8[n, d]"
  retrograd compile package.model:loss --backend c --args "[0.1, 0.2], 3.0"
  retrograd compile                                      what pyproject.toml lists

What is kept is found by a process that imports the function from the same file, under the same name, with
the same versions of retrograd, Python and NumPy; kernels, on the same kind of processor.  The function is
run once for each derivative: with --args, or with arguments made of its types.
"""
MODES = ("grad", "value_and_grad", "jacobian", "hessian")


def add(commands: Any) -> None:
    """Teach the parser this command."""
    made = commands.add_parser(
        "compile", help="compile derivatives beforehand, for deployment", description=ABOUT,
        epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    made.add_argument("targets", nargs="*", metavar="TARGET", help="FILE, module, or FILE:FUNCTION")
    made.add_argument("--mode", type=chosen, metavar="MODES",
                      help=f"of functions: {', '.join(MODES)}; several with commas (default: grad)")  # fmt: skip
    made.add_argument("--wrt", metavar="NAMES", help="the arguments to differentiate, as in w,b")
    made.add_argument("--backend", choices=("numpy", "c", "numba"), help="default: the decorator's")
    made.add_argument("--sig", metavar="SIGNATURE", help='types to make arguments of: "w: f8[d]"')
    made.add_argument("--args", metavar="VALUES", help='arguments, as in "[0.1, 0.2], 3.0"')
    made.add_argument("--cache", metavar="FOLDER", help="keep them there")
    made.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    if options.cache is not None:
        os.environ["RETROGRAD_CACHE"] = str(Path(options.cache).resolve())
    found = [one for target in options.targets for one in derivatives(target, options)]
    found = found or ([] if options.targets else [*listed(options)])
    if not found:
        raise NotFound(f"nothing to compile: {nothing(options)}")
    codes = [compiled(name, f, call) for name, f, call in found]
    from retrograd.compiler.cache import entries

    print(f"{codes.count(0)} of {len(codes)} kept in {shown(str(entries.folder()))}")
    return max(codes)


def nothing(options: argparse.Namespace) -> str:
    if options.targets:
        return (
            f"{' and '.join(options.targets)} makes no derivative when it is imported; name a function, "
            "as in model.py:loss"
        )
    return "no pyproject.toml here or above lists gradients; name a file, or a function"


Found = tuple[str, Callable[..., Any], Any]  # what it is called, the derivative, a call of it


def derivatives(text: str, options: argparse.Namespace) -> Iterator[Found]:
    """What a target of the command line stands for."""
    place, colon, path = text.rpartition(":")
    if not colon or text.endswith(".py"):
        place, path = text, ""
    module = module_name(place) if looks_like_file(place) else place
    if path:
        yield from of_function(resolve(f"{module}:{path}"), options, options.mode or ("grad",))
        return
    for name, f in made_by(load_module(module)):
        yield f"{place}:{name}", f, call_of(f, options)


def module_name(place: str) -> str:
    """The name under which a program imports a file: that of its packages before its own."""
    path = Path(place).resolve()
    if not path.is_file():
        raise NotFound(f"there is no file {place}")
    names, folder = [path.stem], path.parent
    while (folder / "__init__.py").is_file():
        names.insert(0, folder.name)
        folder = folder.parent
    reach(str(folder))
    return ".".join(names)


def made_by(module: Any) -> Iterator[tuple[str, Callable[..., Any]]]:
    """The derivatives that a module made of functions of its own, by name."""
    from retrograd.runtime.objects.own_attributes import own_attribute
    from retrograd.transforms.decorator import Differentiable
    from retrograd.transforms.transformed_function import Chain

    for name, value in list(vars(module).items()):
        columns = own_attribute(value, "__columns__")
        chain = own_attribute(value, "__retrograd__") if columns is None else columns[0]
        if not isinstance(chain, Chain) or chain.fn.__module__ != module.__name__:
            continue
        if isinstance(value, Differentiable):
            yield f"{name}.grad", value.grad
        elif chain.steps or columns is not None:
            yield name, value


def of_function(
    target: Target, options: argparse.Namespace, modes: tuple[str, ...]
) -> Iterator[Found]:
    """The derivatives of a function that ``--mode`` names."""
    import retrograd as rg

    from .grad import wrt_of

    for mode in modes:
        if mode not in MODES:
            raise NotFound(f"--mode {mode}: what is compiled is {', '.join(MODES)}")
        options_of_mode = {} if options.backend is None else {"backend": options.backend}
        f = getattr(rg, mode)(target.function, wrt_of(target, options.wrt), **options_of_mode)
        yield f"{target.spelled} {mode}", f, call_of(f, options)


def listed(options: argparse.Namespace) -> Iterator[Found]:
    """What pyproject.toml lists."""
    project = project_of(Path.cwd())
    for output in () if project is None else project.outputs:
        for request in project.requests(output):  # type: ignore[union-attr]
            request.args, request.backend = None, options.backend
            for text in request.target:
                place, _, path = text.rpartition(":")
                at = project.root / place  # type: ignore[union-attr]
                module = module_name(str(at)) if looks_like_file(place) else place
                modes = ("value_and_grad",) if request.value else request.mode
                yield from of_function(resolve(f"{module}:{path}"), request, modes)


def call_of(f: Any, options: argparse.Namespace) -> Any:
    """A call as `retrograd.precompile` takes it."""
    from retrograd.transforms.public.precompile import chain_behind

    from .samples import given

    if options.args is not None:
        return tuple(given(chain_behind(f), options.args))
    return options.sig


def compiled(name: str, f: Callable[..., Any], call: Any) -> int:
    """One derivative: what became of it is printed."""
    import retrograd as rg
    from retrograd.runtime.errors import RetrogradError

    start = time.perf_counter()
    try:
        rg.precompile(f, *([] if call is None else [call]))
    except RetrogradError as error:
        print(f"{name}: {error}")
        return 1
    print(f"{name}: {kind_of(f)}, {(time.perf_counter() - start) * 1e3:.0f} ms")
    return 0


def kind_of(f: Any) -> str:
    """What runs its calls now, in words."""
    kernels = getattr(f, "__native__", None)
    if kernels is None:
        return "NumPy"
    parts = kernels.parts()
    backend = str({"c": "C"}.get(kernels.chain.backend, kernels.chain.backend))
    if all(part.compiled for part in parts) and parts:
        return backend
    why = f": {kernels.notes[0]}" if kernels.notes else ""
    return f"{backend} in part{why}" if any(p.compiled for p in parts) else f"NumPy{why}"
