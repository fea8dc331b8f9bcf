"""Inputs of the evals, made as GradBench makes them, or like the files it reads; small and medium ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

__all__ = ["INPUTS", "SIZES", "inputs"]

SIZES = ("small", "medium")

Random = np.random.Generator
Input = Any


def ba(rng: Random, n: int, m: int, p: int) -> Input:
    """A camera that looks at its point."""
    camera = 0.1 * rng.normal(size=11)
    camera[6] = 500 + 10 * rng.normal()
    camera[9:] *= 0.1
    return {
        "n": n,
        "m": m,
        "p": p,
        "cam": camera.tolist(),
        "x": (rng.normal(size=3) + np.array([0, 0, 5])).tolist(),
        "w": rng.uniform(),
        "feat": rng.normal(size=2).tolist(),
    }


def det(rng: Random, ell: int) -> Input:
    return {"A": rng.uniform(size=ell * ell).tolist(), "ell": ell}


def gmm(rng: Random, d: int, k: int, n: int, m: int = 0, gamma: float = 1.0) -> Input:
    return {
        "d": d,
        "k": k,
        "n": n,
        "x": rng.normal(size=(n, d)).tolist(),
        "m": m,
        "gamma": gamma,
        "mu": rng.uniform(size=(k, d)).tolist(),
        "q": rng.normal(size=(k, d)).tolist(),
        "l": rng.normal(size=(k, d * (d - 1) // 2)).tolist(),
        "alpha": rng.normal(size=k).tolist(),
    }


def ht(rng: Random, vertices: int, points: int, complicated: bool, mirrored: bool = False) -> Input:
    """A wrist, a palm, and five fingers of four bones; the skin hangs on few bones a vertex."""
    parents = [-1, 0]
    for finger in range(5):
        first = 2 + 4 * finger
        parents += [1, first, first + 1, first + 2]
    bones = len(parents)
    weights = rng.uniform(size=(vertices, bones)) * (rng.uniform(size=(vertices, bones)) < 0.2)
    weights[:, 0] += 0.1
    positions = np.ones((vertices, 4))
    positions[:, :3] = rng.normal(size=(vertices, 3))
    model = {
        "bone_count": bones,
        "bone_names": [f"bone {i}" for i in range(bones)],
        "parents": parents,
        "base_relatives": [moved(rng).tolist() for _ in parents],
        "inverse_base_absolutes": [moved(rng).tolist() for _ in parents],
        "base_positions": positions.tolist(),
        "weights": (weights / np.sum(weights, axis=1, keepdims=True)).tolist(),
        "triangles": rng.integers(vertices, size=(2 * vertices, 3)).tolist(),
        "is_mirrored": mirrored,
    }
    data = {
        "model": model,
        "correspondences": rng.integers(vertices, size=points).tolist(),
        "points": rng.normal(size=(points, 3)).tolist(),
    }
    us = rng.uniform(0, 0.5, size=(points, 2)).tolist() if complicated else []
    return {"theta": (0.3 * rng.normal(size=26)).tolist(), "data": data, "us": us}


def moved(rng: Random) -> Any:
    """A rotation and a translation, as a matrix for homogeneous coordinates."""
    matrix = np.eye(4)
    matrix[:3, :3] = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    matrix[:3, 3] = rng.normal(size=3)
    return matrix


def kmeans(rng: Random, k: int, n: int, d: int) -> Input:
    """The last points are the centroids, so that no cluster is empty."""
    points = rng.uniform(size=(n, d)).tolist()
    return {"points": points, "centroids": points[-k:]}


def llsq(rng: Random, n: int, m: int) -> Input:
    return {"x": rng.uniform(size=m).tolist(), "n": n}


def lse(rng: Random, n: int) -> Input:
    return {"x": rng.uniform(size=n).tolist()}


def lstm(rng: Random, layers: int, characters: int, bits: int = 14) -> Input:
    return {
        "main_params": rng.uniform(size=(2 * layers, 4 * bits)).tolist(),
        "extra_params": rng.uniform(size=(3, bits)).tolist(),
        "state": rng.uniform(size=(2 * layers, bits)).tolist(),
        "sequence": rng.integers(2, size=(characters, bits)).tolist(),
    }


def ode(rng: Random, n: int, s: int) -> Input:
    return {"x": rng.uniform(size=n).tolist(), "s": s}


def hello(rng: Random, x: float) -> Input:
    return x


def particle(rng: Random, w: float) -> Input:
    return {"w": w}


def saddle(rng: Random, start: float) -> Input:
    return {"start": [start, start]}


MAKERS: dict[str, Callable[..., Input]] = {
    maker.__name__: maker
    for maker in (ba, det, gmm, hello, ht, kmeans, llsq, lse, lstm, ode, particle, saddle)
}

# what each maker gets; the medium ones are among those of GradBench, where it does not read files
INPUTS: dict[str, dict[str, list[dict[str, Any]]]] = {
    "hello": {"small": [{"x": 3.0}], "medium": []},
    "llsq": {"small": [{"n": 16, "m": 8}], "medium": [{"n": 1024, "m": 128}]},
    "lse": {"small": [{"n": 50}], "medium": [{"n": 40_000}]},
    "ode": {"small": [{"n": 12, "s": 5}], "medium": [{"n": 1000, "s": 10}]},
    "det": {"small": [{"ell": 5}], "medium": [{"ell": 8}, {"ell": 11}]},
    "kmeans": {"small": [{"k": 3, "n": 40, "d": 2}], "medium": [{"k": 100, "n": 10_000, "d": 8}]},
    "gmm": {
        "small": [{"d": 3, "k": 4, "n": 20, "m": 2, "gamma": 1.5}],
        "medium": [{"d": 10, "k": 25, "n": 1000}],
    },
    "lstm": {
        "small": [{"layers": 2, "characters": 6, "bits": 4}],
        "medium": [{"layers": 2, "characters": 1024}],
    },
    "ba": {"small": [{"n": 3, "m": 4, "p": 7}], "medium": [{"n": 49, "m": 7776, "p": 31843}]},
    "ht": {
        "small": [
            {"vertices": 20, "points": 7, "complicated": False},
            {"vertices": 20, "points": 7, "complicated": True, "mirrored": True},
        ],
        "medium": [
            {"vertices": 544, "points": 200, "complicated": False},
            {"vertices": 544, "points": 200, "complicated": True},
        ],
    },
    "particle": {"small": [{"w": 0.0}], "medium": []},
    "saddle": {"small": [{"start": 1.0}], "medium": []},
}


def inputs(name: str, size: str, seed: int = 31337) -> Iterator[tuple[str, Input]]:
    """The inputs of an eval, with their descriptions.

    >>> [description for description, _ in inputs("det", "medium")]
    ['ell=8', 'ell=11']
    """
    for given in INPUTS[name][size]:
        described = [
            key if v is True else f"{key}={v}" for key, v in given.items() if v is not False
        ]
        yield ",".join(described), MAKERS[name](np.random.default_rng(seed), **given)
