"""``retrograd.backends``: which of those of PyTorch are there (none), and options that some programs set."""

from __future__ import annotations

from retrograd.backends import cuda, cudnn, mps

__all__ = ["cuda", "cudnn", "mps"]
