"""A task: what a creature is asked to do, for how long, on what ground, and how that is scored."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, cast

import numpy as np

from gambol.contact import Medium
from gambol.errors import EvolveError, WorldError, did_you_mean
from gambol.evolve.fitness import TERMS, Track, Weighed, marks
from gambol.evolve.fitness.terms import Array
from gambol.evolve.genotype.servos import BEYOND
from gambol.evolve.outcome import Outcome

STEP = 1.0 / 360.0
"""A step of contact and of the servos [s]: as exact as MuJoCo's of 1/480 s (docs/use/benchmarks.md)."""

SHORTEST = 0.2
"""What is measured of a life [s]: some samples in each part of it that has a speed of its own."""

LONGEST = 600.0
"""A life [s]: the samples of one that lasts much longer do not fit into memory beside those of its herd."""

MOST_TRIALS = 64
"""Of a life: as many as creatures in a share, so that one creature's do not take more room than a share."""

NUMBERS = ("seconds", "settling", "friction", "unevenness", "slickness", "step", "frame", "sample")
"""Settings of a task that are numbers."""

NOTHING = 0.0
"""What a marked life scores; who stands still scores no less."""


@dataclass(frozen=True)
class Task:
    """What is asked for.

    terms: of the fitness, which is their sum; each may be plain data, as settings give it. behaviour: names of terms
    that tell lives apart, for searches that keep one of each kind. seconds: a life, of which the first `settling` are
    not measured [s]. friction of the ground. medium: what it floats in, where there is neither weight nor ground; None
    for a life on the ground. trials: of each life, which is worth the worst of them; in all but the first joints start
    off by at most unevenness [rad; a slide's unit], and friction is off by at most slickness, a part of it. step: of
    time, frame: between decisions of the controller, sample: between samples of the track [s]; each holds the one
    before it a whole number of times.
    Raises EvolveError for what cannot be.
    """

    name: str
    terms: tuple[Weighed, ...]
    behaviour: tuple[str, ...] = ("height", "slip")
    seconds: float = 8.0
    settling: float = 1.0
    friction: float = 0.9
    medium: Medium | None = None
    trials: int = 2
    unevenness: float = 0.02
    slickness: float = 0.1
    step: float = STEP
    frame: float = 3.0 * STEP
    sample: float = 12.0 * STEP

    def __post_init__(self) -> None:
        object.__setattr__(self, "medium", _medium(self.medium, self.name))
        object.__setattr__(self, "terms", _terms(self.terms, self.name))
        for name in NUMBERS:
            if type(value := getattr(self, name)) not in (int, float):
                raise EvolveError(f'the {name} of task "{self.name}" is {value!r}; give a number')
        if not self.terms:
            raise EvolveError(f'task "{self.name}" has no terms, so nothing is better than anything else')
        if not isinstance(cast("object", self.behaviour), (list, tuple)):
            raise EvolveError(f'task "{self.name}" tells lives apart by {self.behaviour!r}; give a list of terms')
        for name in self.behaviour:
            if name not in list(TERMS):
                raise EvolveError(f'task "{self.name}" tells lives apart by "{name}"; {did_you_mean(str(name), TERMS)}')
        object.__setattr__(self, "behaviour", tuple(self.behaviour))
        if not (self.settling >= 0.0 and self.settling + SHORTEST <= self.seconds + 1e-9 <= LONGEST + 1e-9):
            raise EvolveError(
                f'task "{self.name}" lasts {self.seconds} s, of which {self.settling} are for settling; '
                f"give at least {SHORTEST:g} s more than that, and at most {LONGEST:g}"
            )
        if not 0.0 <= self.friction < math.inf:
            raise EvolveError(f'the ground of task "{self.name}" has a friction of {self.friction}; give 0 or more')
        self._check_trials()
        if not self.step > 0.0:
            raise EvolveError(f'a step of task "{self.name}" lasts {self.step} s; give more than 0')
        for short, long in (("step", "frame"), ("frame", "sample")):
            ratio = getattr(self, long) / getattr(self, short)
            if not (ratio >= 1.0 - 1e-9 and abs(ratio - round(ratio)) < 1e-6):
                raise EvolveError(
                    f'a {long} of task "{self.name}" must be a whole number of its {short}s, not {ratio:g}'
                )

    def _check_trials(self) -> None:
        if type(self.trials) is not int or not 1 <= self.trials <= MOST_TRIALS:
            raise EvolveError(
                f'lives of task "{self.name}" have {self.trials} trials; give a whole number from 1 to {MOST_TRIALS}'
            )
        for name, most, why in (
            ("unevenness", BEYOND, "joints stop that far beyond their ranges"),
            ("slickness", 1.0, "no ground has less friction than none"),
        ):
            if not 0.0 <= (value := getattr(self, name)) <= most:
                raise EvolveError(f'the {name} of task "{self.name}" is {value}; give 0 to {most:g}, for {why}')

    @property
    def frames(self) -> tuple[int, ...]:
        """The numbers of the controller's frames at which the track has its samples."""
        every = round(self.sample / self.frame)
        first, last = (round(t / self.sample) for t in (self.settling, self.seconds))
        return tuple(k * every for k in range(first, last + 1))

    def outcomes(self, track: Track) -> list[Outcome]:
        """What every life of a track comes to."""
        with np.errstate(all="ignore"):
            values = {one.term: one.values(track) for one in self.terms}
            told = {name: values[name] if name in values else TERMS[name](track) for name in self.behaviour}
            worth: Array = sum((one.worth(values[one.term]) for one in self.terms), np.zeros(len(track.length)))
        columns, others = ({name: value.tolist() for name, value in of.items()} for of in (values, told))
        made: list[Outcome] = []
        for k, (verdict, fitness) in enumerate(zip(marks(track), worth.tolist(), strict=True)):
            terms = {name: column[k] for name, column in columns.items()}
            lost = not math.isfinite(fitness) or not all(map(math.isfinite, terms.values()))
            mark = verdict or ("is not a number" if lost else "")
            apart = tuple(column[k] for column in others.values())
            made.append(Outcome(NOTHING if mark else fitness, terms, apart, mark))
        return made

    def as_data(self) -> dict[str, Any]:
        """The task as plain data, as an archive keeps it."""
        terms = [one.as_data() for one in self.terms]
        medium = asdict(self.medium) if self.medium else None
        return {of.name: getattr(self, of.name) for of in fields(self)} | {"terms": terms, "medium": medium}

    @staticmethod
    def of_data(data: Mapping[str, Any]) -> "Task":
        """The task of plain data."""
        return Task(**dict(data))


def _terms(given: object, task: str) -> tuple[Weighed, ...]:
    """The terms given, each of which may be plain data. Raises EvolveError for what is none."""
    cure = 'give a list of terms, such as [{"term": "speed", "weight": 1.0}]'
    if not isinstance(given, (list, tuple)):
        raise EvolveError(f'task "{task}" has the terms {given!r}; {cure}')
    made: list[Weighed] = []
    for one in cast("Sequence[Any]", given):
        try:
            made.append(one if isinstance(one, Weighed) else Weighed(**one))
        except TypeError as error:
            raise EvolveError(f'task "{task}" has the term {one!r}; {cure} ({error})') from error
        except EvolveError as error:
            raise EvolveError(f'task "{task}": {error}') from error
    return tuple(made)


def _medium(given: Any, task: str) -> Medium | None:
    """The medium given, which may be plain data. Raises EvolveError for what is none."""
    if given is None or isinstance(given, Medium):
        return given
    try:
        return Medium(**given)
    except (TypeError, ValueError, WorldError) as error:
        cure = "give a density and a viscosity, such as 1000.0 and 0.0009, or None"
        raise EvolveError(f'task "{task}" has the medium {given}; {cure}') from error
