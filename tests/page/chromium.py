"""A browser without a window, spoken to through a pipe by the DevTools protocol.

`python -m tests.page.chromium PAGE PICTURE [WIDTH HEIGHT] [light|dark] [SCRIPT]` takes a picture.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

__all__ = ["BROWSER", "Browser", "browser"]

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
BROWSER = next(filter(None, map(shutil.which, NAMES)), None)
PATIENCE = 60.0  # seconds
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
    "--disable-extensions", "--disable-background-networking", "--remote-debugging-pipe",
)  # fmt: skip


class Browser:
    """One page; ``requests`` and ``problems`` are what it asked of the network and said in its console."""

    def __init__(self, to: int, out: int) -> None:
        self.to, self.out, self.rest, self.count = to, out, b"", 0
        self.requests: list[str] = []
        self.problems: list[str] = []
        self.loaded = False
        self.session: str | None = None
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        attached = self.ask("Target.attachToTarget", targetId=target, flatten=True)
        self.session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.ask(f"{domain}.enable")

    def ask(self, method: str, **params: Any) -> Any:
        self.count += 1
        message: dict[str, Any] = {"id": self.count, "method": method, "params": params}
        message |= {"sessionId": self.session} if self.session else {}
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.count:
                assert "error" not in answer, answer
                return answer["result"]

    def read(self) -> Any:
        until = time.monotonic() + PATIENCE
        while b"\0" not in self.rest:
            assert time.monotonic() < until, "the browser does not answer"
            more = os.read(self.out, 1 << 16)
            assert more, "the browser has ended"
            self.rest += more
        one, _, self.rest = self.rest.partition(b"\0")
        message = json.loads(one)
        self.note(message.get("method", ""), message.get("params", {}))
        return message

    def note(self, method: str, params: Any) -> None:
        if method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        if method == "Runtime.exceptionThrown":
            self.problems.append(json.dumps(params["exceptionDetails"]))
        if method == "Runtime.consoleAPICalled":
            self.problems.append(json.dumps(params["args"]))
        if method == "Log.entryAdded":
            self.problems.append(params["entry"]["text"])
        self.loaded |= method == "Page.loadEventFired"

    def open(self, path: Path) -> None:
        self.loaded = False
        self.ask("Page.navigate", url=path.resolve().as_uri())
        while not self.loaded:
            self.read()

    def size(self, width: int, height: int) -> None:
        self.ask(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=False,
        )  # fmt: skip

    def scheme(self, name: str) -> None:
        features = [{"name": "prefers-color-scheme", "value": name}]
        self.ask("Emulation.setEmulatedMedia", features=features)

    def run(self, script: str) -> Any:
        """The value of an expression of JavaScript."""
        result = self.ask("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def key(self, key: str) -> None:
        text = {"text": key} if len(key) == 1 else {}
        self.ask("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
        self.ask("Input.dispatchKeyEvent", type="keyUp", key=key)

    def hover(self, selector: str) -> None:
        x, y = self.place(selector)
        self.ask("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def click(self, selector: str) -> None:
        x, y = self.place(selector)
        for kind in ("mousePressed", "mouseReleased"):
            self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def place(self, selector: str) -> tuple[float, float]:
        found = self.run(
            f"(() => {{ const r = document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
            " return [r.left + Math.min(90, r.width / 2), r.top + r.height / 2]; })()"
        )
        return found[0], found[1]

    def picture(self, path: Path) -> None:
        data = self.ask("Page.captureScreenshot", format="png")["data"]
        path.write_bytes(base64.b64decode(data))


# Becomes the browser, which listens at 3 and speaks at 4.  (Code of ours between a fork and its program would not
# stand the threads of what other tests import.)
AT_3_AND_4 = """
import os, sys
to_child, from_child, *command = sys.argv[1:]
os.dup2(int(to_child), 13)
os.dup2(int(from_child), 14)
os.dup2(13, 3)
os.dup2(14, 4)
os.execv(command[0], command)
"""


@contextmanager
def browser() -> Iterator[Browser]:
    assert BROWSER is not None
    to_child, to = os.pipe()
    out, from_child = os.pipe()

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        process = subprocess.Popen(
            [sys.executable, "-c", AT_3_AND_4, str(to_child), str(from_child), BROWSER, *FLAGS, f"--user-data-dir={folder}"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            pass_fds=(to_child, from_child),
        )  # fmt: skip
        os.close(to_child)
        os.close(from_child)
        try:
            yield Browser(to, out)
        finally:
            os.close(to)
            os.close(out)
            process.terminate()
            process.wait(10)


if __name__ == "__main__":
    page, picture, *more = sys.argv[1:]
    width, height = (int(more[0]), int(more[1])) if len(more) > 1 else (1440, 1000)
    with browser() as b:
        b.size(width, height)
        b.scheme(more[2] if len(more) > 2 else "light")
        b.open(Path(page))
        if len(more) > 3:
            print(b.run(more[3]))
        b.picture(Path(picture))
        print(b.requests, b.problems)
