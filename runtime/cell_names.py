"""Names of files for people: those of a notebook's cells as IPython says them."""

from __future__ import annotations

import os
import sys

__all__ = ["cell_of", "file_for_people", "name_for_people"]


def cell_of(file: str) -> str | None:
    """``Cell In[3]`` of a file that holds a cell of the notebook; None of any other."""
    find = getattr(sys.modules.get("IPython"), "get_ipython", None)
    compiler = getattr(find() if find is not None else None, "compile", None)
    number = getattr(compiler, "_filename_map", {}).get(file)
    return None if number is None else f"Cell In[{number}]"


def file_for_people(file: str) -> str:
    """A file as messages name it."""
    return cell_of(file) or file


def name_for_people(file: str) -> str:
    """The same without its folder.

    >>> name_for_people("/tmp/model.py")
    'model.py'
    """
    return cell_of(file) or os.path.basename(file)
