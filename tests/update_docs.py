"""Write everything in the documentation that is made by running something: ``python -m tests.update_docs``."""

from __future__ import annotations

import sys

from . import draw_house, update_readme
from .documents import DOCUMENTS, ROOT, refreshed


def main() -> None:
    update_readme.main()
    draw_house.main()
    for path in DOCUMENTS:
        if len(sys.argv) > 1 and path.stem not in sys.argv[1:]:
            continue
        before, after = path.read_text(encoding="utf-8"), refreshed(path)
        if after != before:
            path.write_text(after, encoding="utf-8")
        print(f"{path.relative_to(ROOT)} {'is up to date' if after == before else 'written'}")


if __name__ == "__main__":
    main()
