"""docs/errors.md shows real messages: every example is run and what it raises is compared."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import retrograd as rg

DOC = Path(__file__).resolve().parent.parent / "docs" / "errors.md"
TEXT = DOC.read_text(encoding="utf-8")
EXAMPLE = re.compile(
    r"\*\*Example\.\*\*\n\n```python\n(.*?)```\n\n```\n(\w+)(: .*?)\n```", re.DOTALL
)
EXAMPLES = EXAMPLE.findall(TEXT)


def test_every_example_has_its_message() -> None:
    assert TEXT.count("**Example.**") == len(EXAMPLES) > 5


@pytest.mark.usefixtures("taped")
@pytest.mark.parametrize(
    ("code", "name", "message"), EXAMPLES, ids=[name for _, name, _ in EXAMPLES]
)
def test_the_message_is_real(code: str, name: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.write_text(code, encoding="utf-8")
    scope = {"np": np, "rg": rg, "__name__": "model"}
    with pytest.raises(rg.RetrogradError) as caught:
        exec(compile(code, str(path), "exec"), scope)
    assert type(caught.value).__name__ == name
    assert f": {caught.value}".replace(str(path), "model.py") == message
