"""A crew lives a generation's lives, through any executor of the standard library's interface."""

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import suppress
from typing import Any, Self, TypeVar

from gambol.errors import EvolveError
from gambol.evolve.outcome import Outcome
from gambol.evolve.run.breeding import Evaluator
from gambol.evolve.run.settings import Settings
from gambol.evolve.run.shares import PlainOutcome, Share, lived, outcome_of, shares_of

T = TypeVar("T")

Plain = Mapping[str, Any]

BLAME = (
    "{} workers were lost with {}, which may be too many for their memory, or crash them; nothing of this generation "
    'was stored ({}). A script that makes processes must do so under `if __name__ == "__main__":`'
)

PATIENCE = 10.0
"""How long nothing may come back before it is asked whether there are workers at all [s]."""

Teller = Callable[[str], None]
"""What is told, in words, that workers are waited for."""

TRIES = 3
"""How often a share is given to a worker before it is to blame itself: two workers may die of something else."""


class WaitingWarning(UserWarning):
    """A crew waits for workers that are not there."""


def warn_of_waiting(why: str) -> None:
    """Tell by a WaitingWarning that workers are waited for."""
    warnings.warn(why, WaitingWarning, stacklevel=4)


class Crew:
    """Workers behind an executor, which is made when it is first needed, and anew when its workers are lost.

    hire: makes an executor; it raises EvolveError when that cannot be reached. gone: exceptions that say a worker or
    the executor was lost, besides the standard library's own. check: raises EvolveError for an evaluator that workers
    cannot call. tries: how often a share is tried. waiting: says why an executor gives nothing back, or "" where it is
    at work; tell: is told that, once each time, while the crew goes on waiting. Use it as a context.
    """

    def __init__(
        self,
        hire: Callable[[], Executor],
        *,
        gone: tuple[type[BaseException], ...] = (),
        check: Callable[[Evaluator], None] | None = None,
        tries: int = TRIES,
        waiting: Callable[[Executor], str] | None = None,
        tell: Teller = warn_of_waiting,
    ) -> None:
        self._hire = hire
        self._gone = (BrokenExecutor, CancelledError, *gone)
        self._check = check
        self._tries = tries
        self._waiting = waiting
        self._tell = tell
        self._executor: Executor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.dismiss()

    def reach(self) -> Executor:
        """The executor, made if there is none yet. Raises EvolveError when it cannot be reached.

        Where it can be without workers, this waits for the first of them to do some work.
        """
        if self._executor is None:
            self._executor = self._hire()
            if self._waiting is not None:
                try:
                    for future in self._finished(self._executor, [self._executor.submit(os.getpid)]):
                        with suppress(*self._gone):  # one that was lost at once is made up for later
                            future.result()
                except BaseException:
                    self.dismiss()
                    raise
        return self._executor

    def dismiss(self) -> None:
        """Let all workers go; what they have not begun is dropped, and nobody waits for what they have."""
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)
            self._executor = None

    def outcomes(
        self, evaluate: Evaluator, settings: Settings, genotypes: Sequence[Any], seeds: Sequence[int]
    ) -> list[Outcome]:
        """What became of genotypes, in their order. The share of a lost worker is evaluated again.

        Raises EvolveError when the executor cannot be reached, and when a share has lost all its tries; what the
        evaluator itself raises comes through.
        """
        if self._check is not None:
            self._check(evaluate)
        shares = shares_of(genotypes, seeds, settings.share)
        done: dict[int, list[PlainOutcome]] = {}
        try:
            self._finish(shares, done, evaluate, settings.plain())
        except BaseException:
            self.dismiss()  # what other workers still do would be for nothing
            raise
        return [outcome_of(plain) for share in shares for plain in done[share.first]]

    def _finish(
        self, shares: Sequence[Share], done: dict[int, list[PlainOutcome]], evaluate: Evaluator, settings: Plain
    ) -> None:
        """Give shares to workers until all are done.

        A worker that is lost may take others' work with it, so nothing is held against a share while some are done in
        every round. After one in which none was, shares are tried one by one: then it is clear which is to blame.
        """
        losses = dict.fromkeys((share.first for share in shares), 0)
        alone = False
        while waiting := [share for share in shares if share.first not in done]:
            tried, before = waiting[:1] if alone else waiting, len(done)
            lost = self._round(tried, done, evaluate, settings)
            if lost:
                self.dismiss()
            stuck = len(done) == before
            if stuck and len(tried) == 1:
                losses[tried[0].first] += 1
                if losses[tried[0].first] >= self._tries:
                    raise EvolveError(BLAME.format(self._tries, tried[0].name, lost))
            alone = stuck

    def _round(
        self, waiting: Sequence[Share], done: dict[int, list[PlainOutcome]], evaluate: Evaluator, settings: Plain
    ) -> str:
        """Give every waiting share to a worker and collect what comes back; why not all did, in words."""
        executor = self.reach()
        futures: dict[Future[list[PlainOutcome]], int] = {}
        lost = ""
        try:
            for share in waiting:
                future = executor.submit(lived, evaluate, settings, share.genotypes, share.seeds)
                futures[future] = share.first
        except self._gone as error:
            lost = _said(error)
        for future in self._finished(executor, futures):
            try:
                done[futures[future]] = future.result()
            except self._gone as error:
                lost = _said(error)
        return lost

    def _finished(self, executor: Executor, futures: Iterable[Future[T]]) -> Iterator[Future[T]]:
        """Futures as they are done; where nothing comes for some time, why is told, and waiting goes on."""
        left, told = set(futures), ""
        while left:
            done, left = wait(left, PATIENCE if self._waiting else None, FIRST_COMPLETED)
            why = self._waiting(executor) if self._waiting and not done else ""
            if why and why != told:
                self._tell(why)
            told = why
            yield from done


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".partition("\n")[0]
