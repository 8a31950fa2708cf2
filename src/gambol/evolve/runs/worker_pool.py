"""A worker pool: evaluates generations through any executor with the interface of the standard library.

Workers receive chunks of a generation as plain data, and return outcomes as plain data. The chunks depend only on the
settings, so outcomes are the same for any number of workers.
"""

import math
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Self, TypeVar, cast

from gambol.errors import EvolveError
from gambol.evolve.outcome import Outcome
from gambol.evolve.references import allow_modules, allowed_modules
from gambol.evolve.runs.search_setup import Evaluator
from gambol.evolve.runs.settings import Settings

NOT_A_NUMBER = "is not a number"

PlainOutcome = tuple[float, dict[str, float], list[float], str]


@dataclass(frozen=True)
class Chunk:
    """Individuals of a generation that are evaluated together. first: index of the first individual."""

    first: int
    genotypes: Sequence[Any]
    seeds: Sequence[int]

    @property
    def description(self) -> str:
        """The range of individuals, as text for messages."""
        return f"individuals {self.first} to {self.first + len(self.seeds) - 1} of the generation"


def chunks_of(genotypes: Sequence[Any], seeds: Sequence[int], size: int) -> list[Chunk]:
    """Return the chunks of a generation. size: size of all chunks but the last, which may be smaller."""
    starts = range(0, len(seeds), size)
    return [Chunk(first, genotypes[first : first + size], seeds[first : first + size]) for first in starts]


def evaluate_chunk(
    evaluate: Evaluator,
    settings: Mapping[str, Any],
    genotypes: Sequence[Any],
    seeds: Sequence[int],
    allowed: Sequence[str] = (),
) -> list[PlainOutcome]:
    """Evaluate a chunk in a worker.

    evaluate: the evaluator. settings: settings of the run, as plain data. genotypes: as plain data. seeds: one for
    each. allowed: modules that references may import. Raises EvolveError unless the evaluator returns one outcome for
    each genotype.
    """
    allow_modules(*allowed)
    outcomes: Sequence[object] = evaluate(Settings.of_plain(settings), genotypes, seeds)
    if len(outcomes) != len(genotypes):
        raise EvolveError(f"the task gave {len(outcomes)} outcomes for {len(genotypes)} genotypes; give one for each")
    return [_plain(_sanitised(outcome)) for outcome in outcomes]


def outcome_of(plain: PlainOutcome) -> Outcome:
    """Return the outcome that a worker sent as plain data."""
    fitness, terms, behaviour, marked = plain
    return Outcome(fitness, terms, tuple(behaviour), marked)


def _sanitised(outcome: object) -> Outcome:
    """Return an outcome of floats, with NaN for values that are not finite; it is marked if this makes it invalid."""
    if not isinstance(outcome, Outcome):
        raise EvolveError(f"the task gave {outcome!r} in place of an Outcome")
    fitness, behaviour = _number(outcome.fitness), tuple(map(_number, outcome.behaviour))
    invalid = any(map(math.isnan, (fitness, *behaviour)))
    return replace(
        outcome,
        fitness=fitness,
        terms={name: _number(value) for name, value in outcome.terms.items()},
        behaviour=behaviour,
        marked=outcome.marked or (NOT_A_NUMBER if invalid else ""),
    )


def _number(value: object) -> float:
    """Return a value as a float; NaN if it is not a finite number. -0.0 becomes 0.0, as in some databases."""
    try:
        number = float(cast("Any", value)) + 0.0
    except (TypeError, ValueError):
        return math.nan
    return number if math.isfinite(number) else math.nan


def _plain(outcome: Outcome) -> PlainOutcome:
    return outcome.fitness, dict(outcome.terms), list(outcome.behaviour), outcome.marked


T = TypeVar("T")

PlainSettings = Mapping[str, Any]

FAULTY_CHUNK = (
    "{} workers were lost with {}, which may need too much memory, or crash them; nothing of this generation "
    'was stored ({}). A script that starts processes must do so under `if __name__ == "__main__":`'
)

WORKER_CHECK_INTERVAL = 10.0
"""The time without results after which the pool checks whether there are workers [s]."""

WaitingCallback = Callable[[str], None]
"""A function that is called with the reason why the pool waits for workers."""

MAX_TRIES = 3
"""The default number of tries of a chunk: up to two workers may be lost for reasons other than this chunk."""


class WaitingWarning(UserWarning):
    """A worker pool waits because it has no workers."""


def warn_about_waiting(reason: str) -> None:
    """Issue a WaitingWarning with the reason why the pool waits."""
    warnings.warn(reason, WaitingWarning, stacklevel=4)


class WorkerPool:
    """Workers of an executor, which is created when it is first needed, and created again if its workers are lost.

    make_executor: returns an executor, or raises EvolveError if it cannot be reached. lost_errors: exceptions that mean
    a lost worker or executor, besides those of the standard library. check: raises EvolveError for an evaluator that
    workers cannot call. tries: maximum number of tries of a chunk. waiting_reason: returns the reason why an executor
    returns no results, or "" if it works; on_waiting: called with every new reason, while the pool continues to wait.
    Use it as a context manager.
    """

    def __init__(
        self,
        make_executor: Callable[[], Executor],
        *,
        lost_errors: tuple[type[BaseException], ...] = (),
        check: Callable[[Evaluator], None] | None = None,
        tries: int = MAX_TRIES,
        waiting_reason: Callable[[Executor], str] | None = None,
        on_waiting: WaitingCallback = warn_about_waiting,
    ) -> None:
        self._make_executor = make_executor
        self._lost_errors = (BrokenExecutor, CancelledError, *lost_errors)
        self._check = check
        self._tries = tries
        self._waiting_reason = waiting_reason
        self._on_waiting = on_waiting
        self._executor: Executor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()

    def connect(self) -> Executor:
        """Return the executor; create it if there is none. Raises EvolveError if it cannot be reached.

        If the executor may be without workers, wait until a worker has done some work.
        """
        if self._executor is None:
            self._executor = self._make_executor()
            if self._waiting_reason is not None:
                try:
                    for future in self._finished(self._executor, [self._executor.submit(os.getpid)]):
                        with suppress(*self._lost_errors):  # a worker that is lost now is replaced later
                            future.result()
                except BaseException:
                    self.shutdown()
                    raise
        return self._executor

    def shutdown(self) -> None:
        """Release all workers without waiting for running work; pending work is cancelled."""
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)
            self._executor = None

    def outcomes(
        self, evaluate: Evaluator, settings: Settings, genotypes: Sequence[Any], seeds: Sequence[int]
    ) -> list[Outcome]:
        """Return the outcomes of genotypes, in their order. The chunk of a lost worker is evaluated again.

        evaluate: the evaluator. settings: settings of the run. genotypes: plain data. seeds: one for each. Raises
        EvolveError if the executor cannot be reached, or if a chunk has used all its tries; errors of the evaluator are
        raised unchanged.
        """
        if self._check is not None:
            self._check(evaluate)
        chunks = chunks_of(genotypes, seeds, settings.share)
        results: dict[int, list[PlainOutcome]] = {}
        try:
            self._evaluate_all(chunks, results, evaluate, settings.plain())
        except BaseException:
            self.shutdown()  # the results of other workers would not be used
            raise
        return [outcome_of(plain) for chunk in chunks for plain in results[chunk.first]]

    def _evaluate_all(
        self,
        chunks: Sequence[Chunk],
        results: dict[int, list[PlainOutcome]],
        evaluate: Evaluator,
        settings: PlainSettings,
    ) -> None:
        """Evaluate chunks in workers until `results` has all of them.

        The loss of a worker may also lose the work of others. So chunks are tried one by one only after a round without
        results, and only a chunk tried alone can count as faulty.
        """
        losses = dict.fromkeys((chunk.first for chunk in chunks), 0)
        one_by_one = False
        while remaining := [chunk for chunk in chunks if chunk.first not in results]:
            batch, finished = remaining[:1] if one_by_one else remaining, len(results)
            error_text = self._try_each(batch, results, evaluate, settings)
            if error_text:
                self.shutdown()
            no_progress = len(results) == finished
            if no_progress and len(batch) == 1:
                losses[batch[0].first] += 1
                if losses[batch[0].first] >= self._tries:
                    raise EvolveError(FAULTY_CHUNK.format(self._tries, batch[0].description, error_text))
            one_by_one = no_progress

    def _try_each(
        self,
        chunks: Sequence[Chunk],
        results: dict[int, list[PlainOutcome]],
        evaluate: Evaluator,
        settings: PlainSettings,
    ) -> str:
        """Give every chunk to a worker once and collect the results; return the error that lost some, or ""."""
        executor = self.connect()
        futures: dict[Future[list[PlainOutcome]], int] = {}
        error_text = ""
        try:
            for chunk in chunks:
                arguments = evaluate, settings, chunk.genotypes, chunk.seeds, allowed_modules()
                future = executor.submit(evaluate_chunk, *arguments)
                futures[future] = chunk.first
        except self._lost_errors as error:
            error_text = _first_line(error)
        for future in self._finished(executor, futures):
            try:
                results[futures[future]] = future.result()
            except self._lost_errors as error:
                error_text = _first_line(error)
        return error_text

    def _finished(self, executor: Executor, futures: Iterable[Future[T]]) -> Iterator[Future[T]]:
        """Yield futures when they are done; if none is done for some time, report the reason and continue to wait."""
        pending, reported = set(futures), ""
        while pending:
            done, pending = wait(pending, WORKER_CHECK_INTERVAL if self._waiting_reason else None, FIRST_COMPLETED)
            reason = self._waiting_reason(executor) if self._waiting_reason and not done else ""
            if reason and reason != reported:
                self._on_waiting(reason)
            reported = reason
            yield from done


def _first_line(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".partition("\n")[0]
