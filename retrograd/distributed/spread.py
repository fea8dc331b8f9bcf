"""A function over shards: it finds what is split in a call, and has the rest and the shards put where workers are."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from retrograd.runtime.errors import SignatureMismatch
from retrograd.runtime.tracebacks import trim
from retrograd.transforms.asked import asked_of
from retrograd.transforms.check.policy import get_check
from retrograd.transforms.public.door import no_argument

from .held import Holdings
from .run import Shards, result_of
from .shards import Cut, cut_of, is_dask, is_recipes, settled
from .work import Claim, Job, Slot
from .workers.choice import workers_of

__all__ = ["Options", "Spread"]


class Options(NamedTuple):
    """What was said of the shards."""

    client: Any
    split: Any
    reduce: str
    shards: int | None
    retries: int
    timeout: float | None
    progress: Callable[[int, int], Any] | None
    keep: bool | None


class Spread:
    """A derivative over shards; it is called like the derivative itself."""

    def __init__(self, f: Any, run: Any, options: Options, moved: Sequence[str], kind: str) -> None:
        check_options(options)
        self.chain, self.run, self.options, self.kind = asked_of(f, None), run, options, kind
        self.parameters = list(self.chain.signature.parameters)
        self.split = self.names(options.split)
        self.by_name, self.chosen = False, None
        self.__name__ = f"{self.chain.name}_{kind}"
        both = [name for name in moved if name in self.split]
        if both:
            raise SignatureMismatch(
                f"`{both[0]}` is split, and differentiated: its gradient has a row for each of its rows; "
                "rg.distributed.jacobian and rg.distributed.vmap give rows"
            )
        self.moved = moved
        self.workers = workers_of(options.client)
        self.holdings = Holdings(self.workers)
        self.job: Any = None
        self.claimed: Any = None  # the function, until it was held against what is said of its rows

    def names(self, split: Any) -> list[str]:
        """The arguments that are split, by name; none where they are to be seen in the call."""
        asked: list[Any] = [split] if isinstance(split, (str, int)) else list(split or ())
        found = []
        for one in asked:
            known = isinstance(one, int) and -len(self.parameters) <= one < len(self.parameters)
            name = self.parameters[one] if known else one
            if name not in self.parameters:
                raise SignatureMismatch(no_argument(self.chain.name, str(name), self.parameters))
            if self.chain.signature.parameters[name].kind in (
                inspect.Parameter.VAR_POSITIONAL,
                inspect.Parameter.VAR_KEYWORD,
            ):
                raise SignatureMismatch(
                    f"`*{name}` is not split: give the function a name for each"
                )
            found.append(name)
        return found

    def __repr__(self) -> str:
        return f"<{self.kind} of {self.chain.name} over shards of {', '.join(self.split) or '...'}>"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return self.called(args, kwargs, ())
        except BaseException as error:
            trim(error)
            raise

    def on(self, *shards: int) -> Spread:
        """The same over these shards alone: for steps that take some of the data."""
        made = object.__new__(Spread)
        made.__dict__.update(self.__dict__)
        made.chosen = shards  # type: ignore[assignment]
        return made

    def release(self) -> None:
        """Give back what workers keep; the arrays can be written to again."""
        self.holdings.release()

    def called(self, args: Sequence[Any], kwargs: Any, first: tuple[Any, ...]) -> Any:
        """The result for some arguments; ``first`` is given to what a worker runs before them."""
        bound = self.bound(args, kwargs)
        split = self.split or self.seen(bound.arguments)
        missing = [name for name in split if name not in bound.arguments]
        if missing:  # it has a default
            raise SignatureMismatch(
                f"{self.chain.name}: `{missing[0]}` is split, and was not given"
            )
        cuts = {name: cut_of(name, bound.arguments[name], self.options.shards) for name in split}
        check_alike(cuts)
        handles = [self.handles(name, bound.arguments[name], cut) for name, cut in cuts.items()]
        for at, name in enumerate(split):
            bound.arguments[name] = Slot(at)
        if self.by_name:
            given: Any = ((), settled(dict(bound.arguments)))
        else:
            given = (settled((*first, *bound.args)), settled(bound.kwargs))
        shards = Shards(list(split), list(cuts.values()), handles, self.chosen)
        try:
            job = self.job_for(shards, len(first))
            found = result_of(self.workers, job, given, shards, self.options)
            self.claimed = None
            return found
        finally:
            if self.options.keep is False:
                for handle in [one for own in handles for one in own or ()]:
                    self.workers.release(handle)

    def bound(self, args: Sequence[Any], kwargs: Any) -> inspect.BoundArguments:
        try:
            found = self.chain.signature.bind(*args, **kwargs)
        except TypeError as error:
            raise SignatureMismatch(f"{self.__name__}() {error}") from None
        if self.by_name:
            found.apply_defaults()
        return found

    def seen(self, arguments: dict[str, Any]) -> list[str]:
        """The arguments that are shards already."""
        found = [n for n, x in arguments.items() if is_dask(x) or is_recipes(x)]
        if not found or set(found) & set(self.moved):
            raise SignatureMismatch(
                f'{self.chain.name}: say what is split by rows, split=("x", "y"); dask arrays and lists of '
                "functions are found"
            )
        return found

    def job_for(self, shards: Shards, before: int) -> Any:
        """What is asked of every shard; the mean of one shard is that of all its rows."""
        one = len(shards.numbers) == 1
        claim = None
        if self.claimed is not None and get_check() is not None and not one:
            claim = Claim(self.claimed, self.chain.name, shards.numbers[0], before)
        reduce = "sum" if one and self.options.reduce == "mean" else self.options.reduce
        job = Job(self.run, reduce, tuple(shards.names), claim)
        if self.job is None or self.job.value != job:
            self.job = self.workers.kept(job, again=True)
        return self.job

    def handles(self, name: str, x: Any, cut: Cut) -> list[Any] | None:
        """Where the shards of an argument are kept; None of those that are made, or used, where they are."""
        keep, workers = self.options.keep, self.workers
        if workers.near or (cut.kind != "rows" and not keep):
            return None
        if keep is False:
            return workers.kept_all(list(map(settled, cut.pieces)))  # type: ignore[no-any-return]
        return self.holdings.of(name, x, cut)


def check_alike(cuts: dict[str, Cut]) -> None:
    """Refuse shards that do not belong to each other."""
    counts = {name: len(cut.pieces) for name, cut in cuts.items()}
    if len(set(counts.values())) != 1:
        said = ", ".join(f"`{name}` has {count}" for name, count in counts.items())
        raise SignatureMismatch(f"what is split has the same number of shards: {said}")
    rows = {name: cut.rows for name, cut in cuts.items() if cut.rows is not None}
    if len({tuple(found) for found in rows.values()}) > 1:
        said = ", ".join(f"`{name}` has {found[-1][1]}" for name, found in rows.items())
        raise SignatureMismatch(f"what is split has the same rows in each shard: {said} in all")


def check_options(options: Options) -> None:
    for name in ("shards", "retries"):
        value, least = getattr(options, name), int(name == "shards")
        if value is not None and (type(value) is not int or value < least):
            raise SignatureMismatch(f"{name} is a number from {least}, not {value!r}")
    timeout = options.timeout
    if timeout is not None and not (isinstance(timeout, (int, float)) and timeout > 0):
        raise SignatureMismatch(f"timeout is a number of seconds or None, not {timeout!r}")
    if options.progress is not None and not callable(options.progress):
        raise SignatureMismatch(
            f"progress is a function of (done, shards), not {options.progress!r}"
        )
    if options.keep not in (None, True, False):
        raise SignatureMismatch(f"keep is True, False or None, not {options.keep!r}")
