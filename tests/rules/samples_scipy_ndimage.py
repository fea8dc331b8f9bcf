"""Calls of the functions of ``scipy.ndimage``."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import ndimage

from retrograd.runtime.helpers.scipy import ndimage as rt

from .sample import A, Sample

__all__ = ["SAMPLES"]

V, M = A((5,)), A((4, 5))
MODES = ("reflect", "constant", "nearest", "mirror", "wrap", "grid-wrap", "grid-constant")
WINDOWS = [
    *[Sample((M, w), {"mode": mode}) for mode in MODES for w in (A((3, 3)), A((2, 4)))],
    Sample((M, A((3, 2))), {"origin": (1, -1)}),
    Sample((V, A((4,))), {"mode": "constant", "cval": 0.7, "origin": 1}),
    Sample((A((2, 3, 4)), A((2, 2, 3)))),
]
LINES = [
    *[
        Sample((M, w, k), {"mode": mode})
        for mode in MODES
        for w in (A((3,)), A((4,)))
        for k in (0, -1)
    ],
    Sample((V, A((4,))), {"mode": "constant", "cval": 0.7, "origin": 1}),
]
ARGS = (None, "reflect", 0.0, 0, False)
LABELS = np.array([[1, 1, 2, 0, 2], [3, 1, 1, 2, 0], [0, 0, 3, 3, 1], [2, 2, 2, 1, 1]])
LABELLED = [
    Sample((M,)),
    Sample((M, LABELS)),
    Sample((M, LABELS, 2)),
    Sample((M, LABELS, np.array([1, 3, 2]))),
]
SAMPLES: dict[Any, list[Sample]] = {
    ndimage.convolve: WINDOWS,
    ndimage.correlate: WINDOWS,
    ndimage.convolve1d: LINES,
    ndimage.correlate1d: LINES,
    rt.window: [Sample((M, A((3, 2)), *ARGS)), Sample((M, A((3,)), 1, "wrap", 0.0, 0, True))],
    rt.template: [Sample((A((3, 2)), M, *ARGS)), Sample((A((3,)), M, 1, "constant", 0.5, 0, True))],
    rt.window_pull: [
        Sample((M, M, A((3, 2)), *ARGS)),
        Sample((M, M, A((3,)), 1, "wrap", 0.0, 0, True)),
    ],
    rt.template_pull: [
        Sample((M, M, A((3, 2)), *ARGS)),
        Sample((M, M, A((3,)), 1, "mirror", 0.0, 0, True)),
    ],
    ndimage.gaussian_filter: [
        *[Sample((M, 1.0), {"mode": mode}) for mode in MODES],
        Sample((M, (0.5, 1.5), (0, 1)), {"truncate": 2.0}),
        Sample((V, 0.7), {"radius": 1}),
    ],
    ndimage.uniform_filter: [
        *[Sample((M, 3), {"mode": mode}) for mode in MODES],
        Sample((M, (2, 3)), {"origin": (0, 1)}),
    ],
    ndimage.shift: [
        Sample((V, 0.5), {"order": 1}),
        Sample((M, (0.3, -1.2))),
        Sample((M, (0.3, -1.2)), {"mode": "mirror", "order": 2}),
        Sample((M, (0.3, -1.2)), {"prefilter": False}),
    ],
    ndimage.zoom: [
        Sample((V, 2.0), {"order": 1}),
        Sample((M, (1.5, 0.8)), {"mode": "nearest"}),
        Sample((M, (1.5, 0.8)), {"mode": "nearest", "prefilter": False}),
    ],
    rt.image_map: [Sample((M, ndimage.uniform_filter, (3, "mirror", 0)))],
    rt.axes_pull: [Sample((M, M, ndimage.uniform_filter, (3, "mirror", 0)))],
    ndimage.sum_labels: LABELLED,
    ndimage.sum: LABELLED[1:2],
    ndimage.mean: LABELLED,
    rt.label_pull: [Sample((A((2,)), M, LABELS, np.array([1, 3]))), Sample((A(), M, LABELS, None))],
}
