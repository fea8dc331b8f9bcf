"""How long texts without a signature are, beside those for their arguments: ``python -m tests.unsigned_texts [name ...]``.

Of each golden program: lines of the text, and helpers that are called.
"""

from __future__ import annotations

import math
import re
import sys
from typing import Any

from retrograd.runtime.errors import RetrogradError
from retrograd.transforms.api import unwrap
from retrograd.transforms.specialise.expected_arguments import guarded

from .golden_case import Case, cases

APART = ("#", "import ", "from ", "def ", "@")


def measured(text: str) -> tuple[int, int]:
    """The lines of the bodies, and the helpers that they call."""
    code = text.split('"""', 2)[2]
    lines = [
        line for line in code.splitlines() if line.strip() and not line.strip().startswith(APART)
    ]
    return len(lines), len(re.findall(r"\brt\.\w+\(", "\n".join(lines)))


def both(case: Case) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """With the types of the arguments, and without; None where one of them is refused."""
    chain = case.derived(case.kind)
    kinds: tuple[dict[str, Any], ...] = (case.chain.types(case.arguments()), {})
    try:
        typed, bare = (measured(guarded(chain, types, unwrap, "retrograd grad")) for types in kinds)
    except RetrogradError:
        return None
    return typed, bare


def main(names: list[str]) -> None:
    ratios, helpers = [], [0, 0]
    for case in cases():
        found = both(case) if not names or case.name in names else None
        if found is None:
            continue
        (n, calls), (m, others) = found
        ratios.append(m / max(n, 1))
        helpers = [helpers[0] + calls, helpers[1] + others]
        print(f"{case.name:28} {n:5} {m:5} {ratios[-1]:6.2f}   helpers {calls:3} {others:3}")
    mean = math.exp(sum(map(math.log, ratios)) / max(len(ratios), 1))
    print(
        f"{len(ratios)} programs: {mean:.2f} times as long; {helpers[1]} helpers for {helpers[0]}"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
