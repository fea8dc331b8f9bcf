"""Finding the operation whose gradient fails or is NaN: the traceback of its forward call."""

from __future__ import annotations

import sys
import traceback
import warnings
from typing import Any

import numpy as np

from ...batching.batched_array import memory_of
from ..graph.grad_mode import ask
from ..graph.running_tasks import running_tasks

__all__ = [
    "anomaly", "checked", "detect_anomaly", "explained", "is_anomaly_check_nan_enabled", "is_anomaly_enabled",
    "remember", "set_detect_anomaly",
]  # fmt: skip


class Anomaly:
    """The mode, of the whole process."""

    __slots__ = ("check_nan", "enabled")

    def __init__(self) -> None:
        self.enabled, self.check_nan = False, True

    def switch(self, enabled: bool, check_nan: bool) -> None:
        ask(bool(enabled) - bool(self.enabled))
        self.enabled, self.check_nan = enabled, check_nan


anomaly = Anomaly()


def is_anomaly_enabled() -> bool:
    return anomaly.enabled


def is_anomaly_check_nan_enabled() -> bool:
    return anomaly.check_nan


class set_detect_anomaly:
    """Switches anomaly mode; as a context it restores it at its end."""

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        self.before = anomaly.enabled, anomaly.check_nan
        anomaly.switch(mode, check_nan)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *error: Any) -> None:
        anomaly.switch(*self.before)


class detect_anomaly:
    """A context in which failing and NaN gradients are traced to their forward call."""

    def __init__(self, check_nan: bool = True) -> None:
        self.check_nan = check_nan
        warnings.warn(
            "Anomaly Detection has been enabled. This mode will increase the runtime and should only be enabled for "
            "debugging.",
            stacklevel=2,
        )

    def __enter__(self) -> None:
        self.before = anomaly.enabled, anomaly.check_nan
        anomaly.switch(True, self.check_nan)

    def __exit__(self, *error: Any) -> None:
        anomaly.switch(*self.before)


def remember(node: Any) -> None:
    """Note where a node is made, and by which node that is running."""
    metadata = node.metadata
    metadata["traceback_"] = traceback.format_stack()[:-3]
    tasks = running_tasks()
    if tasks and tasks[-1].current is not None:
        metadata["parent_"] = tasks[-1].current


def say(text: str) -> None:
    """Warn, while an error is on its way: that error stays the one that is raised."""
    try:
        warnings.warn(text, stacklevel=3)
    except Warning:  # warnings are errors
        print(text, file=sys.stderr)


def explained(node: Any) -> None:
    """Warn with the forward tracebacks of a node that failed and of those that caused it."""
    known = (node.more or {}).get("metadata", {})
    name = short(node)
    if "traceback_" not in known:
        say(
            f"Error detected in {name}. No forward pass information available. Enable detect anomaly "
            "during forward pass for more information.",
        )
        return
    say(
        f"Error detected in {name}. Traceback of forward call that caused the error:\n"
        f"{''.join(known['traceback_'])}",
    )
    parent = known.get("parent_")
    while parent is not None:
        known = (parent.more or {}).get("metadata", {})
        where = "".join(known.get("traceback_", []))
        say(
            f"\n\nPrevious calculation was induced by {short(parent)}. "
            + (f"Traceback of forward call that induced the previous calculation:\n{where}" if where else
               "No forward pass information available."),
        )  # fmt: skip
        parent = known.get("parent_")


def short(node: Any) -> str:
    return str(node.name()).rpartition("::")[2]


def has_nan(array: Any) -> bool:
    """Whoever looks for NaN waits for the device."""
    return bool(np.isnan(memory_of(array)).any())


def checked(node: Any, found: tuple[Any, ...]) -> tuple[Any, ...]:
    """Refuse gradients with NaNs."""
    if anomaly.check_nan:
        for k, bar in enumerate(found):
            array = getattr(bar, "_array", bar)
            if array is not None and has_nan(getattr(array, "values", array)):
                explained(node)
                raise RuntimeError(
                    f"Function '{short(node)}' returned nan values in its {k}th output."
                )
    return found
