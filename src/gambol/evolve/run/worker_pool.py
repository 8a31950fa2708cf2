"""A worker pool: evaluates generations through any executor with the interface of the standard library."""

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import suppress
from typing import Any, Self, TypeVar

from gambol.errors import EvolveError
from gambol.evolve.outcome import Outcome
from gambol.evolve.run.chunks import Chunk, PlainOutcome, chunks_of, evaluate_chunk, outcome_of
from gambol.evolve.run.search_setup import Evaluator
from gambol.evolve.run.settings import Settings

T = TypeVar("T")

PlainSettings = Mapping[str, Any]

FAULTY_CHUNK = (
    "{} workers were lost with {}, which may need too much memory, or crash them; nothing of this generation "
    'was stored ({}). A script that makes processes must do so under `if __name__ == "__main__":`'
)

PATIENCE = 10.0
"""The time without any result after which the pool checks that there are workers [s]."""

WaitingCallback = Callable[[str], None]
"""A function that is called with the reason why the pool waits for workers."""

TRIES = 3
"""The number of times that a chunk is tried before it is an error: up to two workers may be lost for other reasons."""


class WaitingWarning(UserWarning):
    """A worker pool has no workers and waits for some."""


def warn_about_waiting(why: str) -> None:
    """Issue a WaitingWarning."""
    warnings.warn(why, WaitingWarning, stacklevel=4)


class WorkerPool:
    """Workers of an executor, which is created when it is first needed, and again when its workers are lost.

    make_executor: returns an executor, or raises EvolveError when it cannot be reached. lost_errors: exceptions that
    mean a lost worker or executor, besides those of the standard library. check: raises EvolveError for an evaluator
    that workers cannot call. tries: how often a chunk is tried. waiting: returns the reason why an executor returns
    nothing, or "" where it works; on_waiting: called with a new reason, while the pool goes on waiting. Use it as a
    context.
    """

    def __init__(
        self,
        make_executor: Callable[[], Executor],
        *,
        lost_errors: tuple[type[BaseException], ...] = (),
        check: Callable[[Evaluator], None] | None = None,
        tries: int = TRIES,
        waiting: Callable[[Executor], str] | None = None,
        on_waiting: WaitingCallback = warn_about_waiting,
    ) -> None:
        self._make_executor = make_executor
        self._lost_errors = (BrokenExecutor, CancelledError, *lost_errors)
        self._check = check
        self._tries = tries
        self._waiting = waiting
        self._on_waiting = on_waiting
        self._executor: Executor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()

    def connect(self) -> Executor:
        """Return the executor, made if there is none yet. Raises EvolveError when it cannot be reached.

        Where it can be without workers, this waits for the first of them to do some work.
        """
        if self._executor is None:
            self._executor = self._make_executor()
            if self._waiting is not None:
                try:
                    for future in self._finished(self._executor, [self._executor.submit(os.getpid)]):
                        with suppress(*self._lost_errors):  # a worker that is lost here is replaced later
                            future.result()
                except BaseException:
                    self.shutdown()
                    raise
        return self._executor

    def shutdown(self) -> None:
        """Release all workers; pending work is cancelled, and running work is not waited for."""
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)
            self._executor = None

    def outcomes(
        self, evaluate: Evaluator, settings: Settings, genotypes: Sequence[Any], seeds: Sequence[int]
    ) -> list[Outcome]:
        """Return the outcomes of genotypes, in their order. The chunk of a lost worker is evaluated again.

        evaluate: the evaluator. settings: of the run. genotypes: plain data. seeds: one for each. Raises EvolveError
        when the executor cannot be reached, and when a chunk has used all its tries; errors of the evaluator are
        passed on.
        """
        if self._check is not None:
            self._check(evaluate)
        chunks = chunks_of(genotypes, seeds, settings.share)
        done: dict[int, list[PlainOutcome]] = {}
        try:
            self._finish(chunks, done, evaluate, settings.plain())
        except BaseException:
            self.shutdown()  # the results of other workers would not be used
            raise
        return [outcome_of(plain) for chunk in chunks for plain in done[chunk.first]]

    def _finish(
        self, chunks: Sequence[Chunk], done: dict[int, list[PlainOutcome]], evaluate: Evaluator, settings: PlainSettings
    ) -> None:
        """Give chunks to workers until all are done.

        The loss of a worker may also lose the work of others, so no chunk counts as faulty while every round completes
        some. After a round without any, chunks are tried one by one, which shows the faulty one.
        """
        losses = dict.fromkeys((chunk.first for chunk in chunks), 0)
        one_by_one = False
        while waiting := [chunk for chunk in chunks if chunk.first not in done]:
            batch, before = waiting[:1] if one_by_one else waiting, len(done)
            error_text = self._round(batch, done, evaluate, settings)
            if error_text:
                self.shutdown()
            no_progress = len(done) == before
            if no_progress and len(batch) == 1:
                losses[batch[0].first] += 1
                if losses[batch[0].first] >= self._tries:
                    raise EvolveError(FAULTY_CHUNK.format(self._tries, batch[0].name, error_text))
            one_by_one = no_progress

    def _round(
        self,
        waiting: Sequence[Chunk],
        done: dict[int, list[PlainOutcome]],
        evaluate: Evaluator,
        settings: PlainSettings,
    ) -> str:
        """Give every waiting chunk to a worker and collect the results; return why not all were done, or ""."""
        executor = self.connect()
        futures: dict[Future[list[PlainOutcome]], int] = {}
        error_text = ""
        try:
            for chunk in waiting:
                future = executor.submit(evaluate_chunk, evaluate, settings, chunk.genotypes, chunk.seeds)
                futures[future] = chunk.first
        except self._lost_errors as error:
            error_text = _first_line(error)
        for future in self._finished(executor, futures):
            try:
                done[futures[future]] = future.result()
            except self._lost_errors as error:
                error_text = _first_line(error)
        return error_text

    def _finished(self, executor: Executor, futures: Iterable[Future[T]]) -> Iterator[Future[T]]:
        """Yield futures as they are done; where nothing arrives for some time, report why and go on waiting."""
        pending, reported = set(futures), ""
        while pending:
            done, pending = wait(pending, PATIENCE if self._waiting else None, FIRST_COMPLETED)
            why = self._waiting(executor) if self._waiting and not done else ""
            if why and why != reported:
                self._on_waiting(why)
            reported = why
            yield from done


def _first_line(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".partition("\n")[0]
