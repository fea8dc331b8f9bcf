"""Fusion, tiling, unrolling and parallel loops."""
