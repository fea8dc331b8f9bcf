"""Run the golden programs twice each; print those that were compiled: `python -m tests.sweeps.compiled_once [part] [of]`.

After the first call with some kinds of arguments nothing is compiled again, and in a second process nothing at all.
"""

from __future__ import annotations

import copy
import sys
import warnings
from typing import Any

from retrograd.transforms.api import transformed
from retrograd.transforms.specialise import compile as compiled
from retrograd.transforms.star_arguments import with_all
from tests.golden_case import cases

__all__ = ["builds"]


def builds() -> list[str]:
    """The names of the functions that are compiled from now on."""
    built: list[str] = []
    original = compiled.build

    def counted(fn: Any, *rest: Any) -> Any:
        built.append(fn.__name__)
        return original(fn, *rest)

    compiled.build = counted
    return built


def main(part: int, of: int) -> None:
    warnings.simplefilter("ignore")
    built = builds()
    for case in list(cases())[part::of]:
        made = transformed(case.chain.then("grad", case.wrt, len(case.wrt) == 1), "")
        gradient = with_all(case.chain.raw, made)
        for what in ("first", "again"):
            built.clear()
            gradient(*copy.deepcopy(case.arguments()))
            for _ in built:
                print(what, case.name, flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:] or ["0", "1"]))
