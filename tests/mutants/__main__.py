"""``python -m tests.mutants``: the share of mistakes that a derivative is caught with at birth.

Each mutant is one edit of a rule, an adjoint, a helper, a pass, an analysis or a transform, made in a copy
of the tree; then derivatives that go through the edited function are asked for, with the default
check.  ``caught``: `GradientMismatch`; ``loud``: another error; ``silent``: a result that is not that
of the tree as it is, without a word; ``same``: no derivative changes.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue
from typing import Any, NamedTuple

from .mutations import Mutant, mutants_of

__all__ = ["main"]

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("compiler", "runtime", "retrograd", "cli", "tests")
FOLDERS = ("differentiate", "passes", "analyses")  # of the compiler
PROGRAMS = 3  # that go through an edited function
LONG = 60  # seconds for all of them


TRIAL = [sys.executable, "-m", "tests.mutants.trial"]


class Candidate(NamedTuple):
    """A mutant, and programs that go through it."""

    mutant: Mutant
    kinds: str
    programs: list[str]


class Tree:
    """A copy of the sources that can be edited, with a cache of its own."""

    def __init__(self, home: Path) -> None:
        self.home, self.cache = home, home / "cache"
        for part in PARTS:
            shutil.copytree(ROOT / part, home / part, symlinks=True, ignore=ignored)
        shutil.copy(ROOT / "pyproject.toml", home)
        self.server: Any = None

    def environment(self) -> dict[str, str]:
        shutil.rmtree(self.cache, ignore_errors=True)
        env = os.environ | {"RETROGRAD_CACHE": str(self.cache), "PYTHONPATH": str(self.home)}
        env.pop("RETROGRAD_CHECK", None)
        return env

    def run(self, *words: str, timeout: float) -> str:
        made = subprocess.run(
            [*TRIAL, *words], cwd=self.home, env=self.environment(), capture_output=True, text=True,
            timeout=timeout,
        )  # fmt: skip
        sys.stderr.write("".join(x + "\n" for x in made.stderr.splitlines() if "false" in x))
        return made.stdout

    def verdicts(self, candidate: Candidate, baseline: Path) -> dict[str, str]:
        """What becomes of the programs of a mutant."""
        path = self.home / candidate.mutant.file
        text, dates = path.read_text(encoding="utf-8"), path.stat()
        path.write_text(candidate.mutant.applied(text), encoding="utf-8")
        try:
            return self.asked(candidate, baseline)
        finally:
            path.write_text(text, encoding="utf-8")
            os.utime(path, ns=(dates.st_atime_ns, dates.st_mtime_ns))

    def asked(self, candidate: Candidate, baseline: Path) -> dict[str, str]:
        answer = self.home / "answer.json"
        answer.unlink(missing_ok=True)
        shutil.rmtree(self.cache, ignore_errors=True)
        if self.server is None:
            self.server = subprocess.Popen(
                [*TRIAL, "--serve"], cwd=self.home, env=self.environment(), text=True,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            )  # fmt: skip
        request = {
            "kinds": candidate.kinds, "names": candidate.programs, "baseline": str(baseline),
            "answer": str(answer), "seconds": LONG,
        }  # fmt: skip
        self.server.stdin.write(json.dumps(request) + "\n")
        self.server.stdin.flush()
        self.server.stdout.readline()
        return json.loads(answer.read_text()) if answer.exists() else {"all": "loud"}


def ignored(folder: str, names: list[str]) -> list[str]:
    return [n for n in names if n in ("__pycache__", "found")]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--rules", type=int, default=220, help="mutants of rules and adjoints")
    parser.add_argument("--helpers", type=int, default=100, help="mutants of their helpers")
    parser.add_argument("--compiler", type=int, default=120, help="mutants of passes and facts")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mutants_") as folder:
        trees = [Tree(Path(folder) / str(k)) for k in range(given.jobs)]
        candidates, baseline = chosen(trees[0], given, Path(folder))
        try:
            found = tried(trees, candidates, baseline)
        finally:
            for tree in trees:
                if tree.server is not None:
                    tree.server.kill()
    return report(found, given.json)


# -- which mutants -----------------------------------------------------------------------------------


def chosen(tree: Tree, given: Any, folder: Path) -> tuple[list[Candidate], Path]:
    """Mutants at random, the same ones for a seed, and the results of the tree as it is."""
    rng = random.Random(given.seed)
    texts = json.loads(tree.run("--kinds", "rules", "--texts", timeout=600).splitlines()[-1])
    rules = of_texts(texts, lambda f: "rules/" in f or "adjoints" in f, given.rules, rng)
    helped = of_texts(texts, lambda f: "/helpers/" in f, given.helpers, rng)
    names = sorted({name for c in rules + helped for name in c.programs})
    baseline, trace = folder / "rules.pickle", folder / "rules.json"
    words = ["--baseline", str(baseline), "--trace", str(trace)]
    tree.run("--kinds", "rules", *words, *names, timeout=3600)
    able = set(json.loads(trace.read_text()))
    found = [c._replace(programs=[p for p in c.programs if p in able]) for c in rules + helped]
    golden, traced = folder / "golden.pickle", folder / "golden.json"
    words = ["--baseline", str(golden), "--trace", str(traced)]
    tree.run("--kinds", "golden", *words, timeout=3600)
    found += of_trace(json.loads(traced.read_text()), given.compiler, rng)
    merge(baseline, golden)
    return [c for c in found if c.programs], baseline


def merge(into: Path, other: Path) -> None:
    import pickle

    both = pickle.loads(into.read_bytes()) | pickle.loads(other.read_bytes())
    into.write_bytes(pickle.dumps(both))


def of_texts(texts: Any, wanted: Any, count: int, rng: random.Random) -> list[Candidate]:
    """One mutant for each function at a time, until there are enough."""
    by_function: dict[tuple[str, str], list[str]] = defaultdict(list)
    for program, functions in texts.items():
        for file, name in functions:
            if wanted(file):
                by_function[file, name].append(program)
    return spread(by_function, count, rng, "rules")


def of_trace(touched: Any, count: int, rng: random.Random) -> list[Candidate]:
    by_function: dict[tuple[str, str], list[str]] = defaultdict(list)
    for program, functions in touched.items():
        for file, name in functions:
            parts = file.split("/")
            if parts[0] == "compiler" and len(parts) == 3 and parts[1] in FOLDERS:
                by_function[file, name].append(program)
    return spread(by_function, count, rng, "golden")


def spread(
    by_function: dict[tuple[str, str], list[str]], count: int, rng: random.Random, kinds: str
) -> list[Candidate]:
    functions = sorted(by_function)
    rng.shuffle(functions)
    everything: dict[str, list[Mutant]] = {}
    found: list[Candidate] = []
    for round_ in range(3):
        for file, name in functions:
            if len(found) >= count:
                return found
            known = everything.setdefault(file, mutants_of(ROOT, file))
            own = [m for m in known if m.function == name]
            if len(own) <= round_:
                continue
            programs = by_function[file, name]
            mutant = own[rng.randrange(len(own))]
            found.append(
                Candidate(mutant, kinds, rng.sample(programs, min(PROGRAMS, len(programs))))
            )
    return found


# -- what becomes of them ----------------------------------------------------------------------------


def tried(
    trees: list[Tree], candidates: list[Candidate], baseline: Path
) -> list[tuple[Candidate, dict[str, str]]]:
    free: Queue[Tree] = Queue()
    for tree in trees:
        free.put(tree)

    def one(candidate: Candidate) -> tuple[Candidate, dict[str, str]]:
        tree = free.get()
        try:
            found = tree.verdicts(candidate, baseline)
        finally:
            free.put(tree)
        print(f"{verdict(found):7s} {candidate.mutant}", flush=True)
        return candidate, found

    with ThreadPoolExecutor(len(trees)) as pool:
        return list(pool.map(one, candidates))


def verdict(found: dict[str, str]) -> str:
    return next((v for v in ("silent", "caught", "loud") if v in found.values()), "same")


def report(found: list[tuple[Candidate, dict[str, str]]], path: Path | None) -> int:
    """The counts, and every survivor with the programs that it got past."""
    counts = Counter(verdict(f) for _, f in found)
    wrong = counts["caught"] + counts["silent"]
    print("\nsurvivors:")
    for candidate, verdicts in found:
        if verdict(verdicts) == "silent":
            past = [name for name, v in verdicts.items() if v == "silent"]
            print(f"  {candidate.mutant}\n    past {', '.join(past)}")
    print(f"\n{len(found)} mutants: {dict(counts)}")
    if wrong:
        share = 100 * counts["caught"] / wrong
        print(
            f"{wrong} give a wrong derivative; caught at birth: {counts['caught']}, {share:.1f} %"
        )
    if path is not None:
        rows = [{"mutant": str(c.mutant), "verdicts": v} for c, v in found]
        path.write_text(json.dumps({"counts": counts, "mutants": rows}, indent=1))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
