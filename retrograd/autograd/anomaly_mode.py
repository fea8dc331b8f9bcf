"""``retrograd.autograd.anomaly_mode``: backward passes that explain their errors."""

from __future__ import annotations

from retrograd.runtime.eager.observe.anomaly_mode import (
    detect_anomaly,
    set_detect_anomaly,
)

__all__ = ["detect_anomaly", "set_detect_anomaly"]
