"""Tasks: the goal of the creatures, the duration and the ground of their rollouts, and the score; all tasks by name."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, cast

import numpy as np

from gambol.contact import Medium
from gambol.errors import EvolveError, WorldError, did_you_mean
from gambol.evolve.fitness import Trajectory, WeightedTerm, invalid_reasons, term_named, term_values
from gambol.evolve.fitness.natural import signals_of
from gambol.evolve.fitness.terms import Array
from gambol.evolve.genotype.muscle_pairs import STOP_MARGIN
from gambol.evolve.outcome import Outcome
from gambol.evolve.references import Kind
from gambol.evolve.tasks.task_terms import TERMS_OF
from gambol.evolve.tasks.terrain import Terrain, start_of, terrain_of

STEP = 1.0 / 360.0
"""The time step of contacts and servos [s]: as accurate as MuJoCo with steps of 1/480 s (docs/use/benchmarks.md)."""

MIN_SECONDS = 0.2
"""The minimum duration of the measured part of a rollout [s]: seven samples; the term speed needs five."""

MAX_SECONDS = 600.0
"""The maximum duration of a rollout [s]: the samples of a batch of much longer rollouts do not fit into memory."""

MAX_TRIALS = 64
"""Maximum number of trials: as many as creatures in a chunk, so that a creature's trials need no more memory."""

NUMBER_FIELDS = ("seconds", "settling", "friction", "unevenness", "slickness", "step", "frame", "sample", "tolerance")
"""The fields of a task that are numbers."""

NOT_DATA = ("default_body", "default_options", "default_settings")
"""The fields of a task that are not part of its data."""

INVALID_FITNESS = 0.0
"""The fitness of an invalid rollout: standing still scores at least as much."""


@dataclass(frozen=True)
class Task:
    """A task: the terms of its fitness and the conditions of its rollouts.

    terms: weighted terms, whose sum is the fitness; each may be plain data, as in settings. behaviour: names of the
    terms that are behaviour descriptors. seconds: duration of a rollout [s]; settling: duration of its first part,
    which is not measured [s]. friction: friction of the ground. medium: the fluid in which the creature floats, without
    weight and ground; None for rollouts on the ground. trials: number of trials for each genotype; the worst trial
    counts. unevenness, slickness: in all trials but the first, initial joint positions vary by at most unevenness [rad
    or m], and friction by at most the fraction slickness. step: time step; frame: control step; sample: time between
    samples of the trajectory [s]; frame is a whole multiple of step, and sample of frame. ground: uneven ground, which
    may be plain data, see terrain.py; None for level ground. start: x, y [m] and heading [rad] of the creature.
    explicit_servos, midpoint_springs, second_order_landings: options of Stepping for more accurate steps, see decisions
    036 and 040. tolerance: permitted violation of the contact laws, for a creature of size L [sqrt(g L)].
    default_body, default_options, default_settings: of a new run, the name of the default body plan, the default
    options, and other default settings, such as population; they are not part of the task's data. Raises EvolveError
    for invalid values.
    """

    name: str
    terms: tuple[WeightedTerm, ...]
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
    ground: Terrain | None = None
    start: tuple[float, float, float] = (0.0, 0.0, 0.0)
    explicit_servos: bool = False
    second_order_landings: bool = False
    midpoint_springs: bool = False
    tolerance: float = 1e-3
    default_body: str = field(default="quadruped", compare=False, repr=False)
    default_options: Mapping[str, Any] = field(default_factory=dict[str, Any], compare=False, repr=False)
    default_settings: Mapping[str, Any] = field(default_factory=dict[str, Any], compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "medium", _medium(self.medium, self.name))
        object.__setattr__(self, "terms", _terms(self.terms, self.name))
        object.__setattr__(self, "ground", terrain_of(self.ground, self.name))
        object.__setattr__(self, "start", start_of(self.start, self.name))
        if self.ground is not None and self.medium is not None:
            raise EvolveError(f'task "{self.name}" has a medium, in which creatures float; leave out its ground')
        for name in NUMBER_FIELDS:
            if type(value := getattr(self, name)) not in (int, float):
                raise EvolveError(f'the {name} of task "{self.name}" is {value!r}; give a number')
        for name in ("explicit_servos", "second_order_landings", "midpoint_springs"):
            if type(value := getattr(self, name)) is not bool:
                raise EvolveError(f'{name} of task "{self.name}" is {value!r}; give true or false')
        if not self.terms:
            raise EvolveError(f'task "{self.name}" has no terms, so all creatures would score the same')
        if not isinstance(cast("object", self.behaviour), (list, tuple)):
            raise EvolveError(f'task "{self.name}" has the behaviour {self.behaviour!r}; give a list of terms')
        for name in self.behaviour:
            try:
                term_named(str(name))
            except EvolveError as error:
                raise EvolveError(f'the behaviour of task "{self.name}": {error}') from error
        object.__setattr__(self, "behaviour", tuple(self.behaviour))
        if not (self.settling >= 0.0 and self.settling + MIN_SECONDS <= self.seconds + 1e-9 <= MAX_SECONDS + 1e-9):
            raise EvolveError(
                f'task "{self.name}" lasts {self.seconds} s, of which {self.settling} s are for settling; '
                f"give a duration of at least {self.settling + MIN_SECONDS:g} s and at most {MAX_SECONDS:g} s"
            )
        if not 0.0 <= self.friction < math.inf:
            raise EvolveError(f'the ground of task "{self.name}" has a friction of {self.friction}; give 0 or more')
        self._check_trials()
        if not min(self.step, self.tolerance) > 0.0:
            raise EvolveError(f'task "{self.name}": step {self.step} s, tolerance {self.tolerance}; give more than 0')
        for short, long in (("step", "frame"), ("frame", "sample")):
            ratio = getattr(self, long) / getattr(self, short)
            if not (ratio >= 1.0 - 1e-9 and abs(ratio - round(ratio)) < 1e-6):
                raise EvolveError(
                    f'a {long} of task "{self.name}" must be a whole number of its {short}s, not {ratio:g}'
                )

    def _check_trials(self) -> None:
        """Raise EvolveError for invalid trials, unevenness or slickness."""
        if type(self.trials) is not int or not 1 <= self.trials <= MAX_TRIALS:
            raise EvolveError(
                f'rollouts of task "{self.name}" have {self.trials} trials; give a whole number from 1 to {MAX_TRIALS}'
            )
        for name, limit, reason in (
            ("unevenness", STOP_MARGIN, "the stops of joints are that far beyond the range of targets"),
            ("slickness", 1.0, "friction is not negative"),
        ):
            if not 0.0 <= (value := getattr(self, name)) <= limit:
                raise EvolveError(f'the {name} of task "{self.name}" is {value}; give 0 to {limit:g}, because {reason}')

    @property
    def sample_steps(self) -> tuple[int, ...]:
        """The numbers of control steps after which the trajectory is sampled."""
        every = round(self.sample / self.frame)
        first, last = (round(t / self.sample) for t in (self.settling, self.seconds))
        return tuple(k * every for k in range(first, last + 1))

    @property
    def signals(self) -> tuple[str, ...]:
        """The signals of feet that rollouts record, see sample.SIGNALS: those that terms about animals need."""
        return signals_of((*(term.term for term in self.terms), *self.behaviour))

    def outcomes(self, trajectory: Trajectory) -> list[Outcome]:
        """Return the outcome of every rollout of a trajectory."""
        with np.errstate(all="ignore"):
            values = {term.term: term.values(trajectory) for term in self.terms}
            descriptors = {
                name: values[name] if name in values else term_values(name, trajectory, {}) for name in self.behaviour
            }
            score: Array = sum((term.score(values[term.term]) for term in self.terms), np.zeros(len(trajectory.length)))
        term_lists, descriptor_lists = (
            {name: array.tolist() for name, array in arrays.items()} for arrays in (values, descriptors)
        )
        results: list[Outcome] = []
        for k, (reason, fitness) in enumerate(zip(invalid_reasons(trajectory), score.tolist(), strict=True)):
            terms = {name: column[k] for name, column in term_lists.items()}
            not_finite = not math.isfinite(fitness) or not all(map(math.isfinite, terms.values()))
            mark = reason or ("is not a number" if not_finite else "")
            behaviour = tuple(column[k] for column in descriptor_lists.values())
            results.append(Outcome(INVALID_FITNESS if mark else fitness, terms, behaviour, mark))
        return results

    def as_data(self) -> dict[str, Any]:
        """Return the task as plain data, as an archive stores it."""
        terms = [term.as_data() for term in self.terms]
        medium = self.medium.numbers() if self.medium else None
        values = {item.name: getattr(self, item.name) for item in fields(self) if item.name not in NOT_DATA}
        ground = self.ground.as_data() if self.ground else None
        return values | {"terms": terms, "medium": medium, "ground": ground}

    @staticmethod
    def from_data(data: Mapping[str, Any]) -> "Task":
        """Return the task of plain data."""
        return Task(**dict(data))


def _terms(value: object, task: str) -> tuple[WeightedTerm, ...]:
    """Return the terms of a value; each may be plain data. Raises EvolveError for other values."""
    hint = 'give a list of terms, such as [{"term": "speed", "weight": 1.0}]'
    if not isinstance(value, (list, tuple)):
        raise EvolveError(f'task "{task}" has the terms {value!r}; {hint}')
    results: list[WeightedTerm] = []
    for term in cast("Sequence[Any]", value):
        try:
            results.append(term if isinstance(term, WeightedTerm) else WeightedTerm(**term))
        except TypeError as error:
            raise EvolveError(f'task "{task}" has the term {term!r}; {hint} ({error})') from error
        except EvolveError as error:
            raise EvolveError(f'task "{task}": {error}') from error
    return tuple(results)


def _medium(value: Any, task: str) -> Medium | None:
    """Return the medium of a value, which may be plain data. Raises EvolveError for other values."""
    if value is None or isinstance(value, Medium):
        return value
    try:
        return Medium(**value)
    except (TypeError, ValueError, WorldError) as error:
        hint = "give a density and a viscosity, such as 1000.0 and 0.0009, or None"
        raise EvolveError(f'task "{task}" has the medium {value}; {hint}') from error


WATER = Medium(density=1000.0, viscosity=0.0009)
"""Water at 25 degrees Celsius."""

TASKS: dict[str, Task] = {
    "walk": Task("walk", TERMS_OF["walk"], ("height", "slip")),
    "hop": Task("hop", TERMS_OF["hop"], ("flight", "speed")),
    "jump": Task(
        "jump",
        TERMS_OF["jump"],
        ("leap", "upright"),
    ),
    "crawl": Task(
        "crawl",
        TERMS_OF["crawl"],
        ("dragging", "slip"),
        default_body="newt",
    ),
    "path": Task(
        "path",
        TERMS_OF["path"],
        ("straightness", "slip"),
        seconds=10.0,
    ),
    "swim": Task(
        "swim",
        TERMS_OF["swim"],
        ("straightness", "upright"),
        medium=WATER,
        default_body="eel",
    ),
    "natural": Task(
        "natural",
        TERMS_OF["natural"],
        ("animal stride frequency", "animal duty factor"),
        sample=6.0 * STEP,
        default_options={"motor": "hill", "frequencies": "walk"},
        default_settings={"control": "stride", "population": 64, "generations": 20, "share": 32},
    ),
    "trot": Task(
        "trot",
        TERMS_OF["trot"],
        ("animal stride frequency", "animal duty factor"),
        sample=6.0 * STEP,
        default_options={"motor": "hill", "frequencies": "mass"},
        default_settings={"control": "trot", "population": 64, "generations": 20, "share": 32},
    ),
}
"""The tasks of gambol by name; see docs/extend/task.md for a task of your own."""

TASK = Kind("task", TASKS)


def default_body(task: str) -> str:
    """Return the default body plan of a task. Raises EvolveError for an unknown task."""
    return task_named(task).default_body


def default_options(task: str) -> dict[str, Any]:
    """Return the default options of the settings of a new run. Raises EvolveError for an unknown task."""
    return dict(task_named(task).default_options)


def default_settings(task: str) -> dict[str, Any]:
    """Return further default settings of a new run of a task. Raises EvolveError for an unknown task."""
    return dict(task_named(task).default_settings)


def task_named(name: str, **changes: Any) -> Task:
    """Return a task, with some fields changed.

    name: a key of TASKS, a reference "module:name", or an entry point of "gambol.tasks". A reference or an entry point
    names a Task, or a function of a Trajectory, which becomes the only term. changes: values of fields of Task. Raises
    EvolveError for an unknown task or field.
    """
    task = TASKS[name] if name in TASKS else _own_task(name)
    allowed = [field.name for field in fields(Task) if field.name not in ("name", *NOT_DATA)]
    for change in changes:
        if change not in allowed:
            raise EvolveError(f'task "{name}" has no setting "{change}"; {did_you_mean(change, allowed)}')
    return replace(task, **changes) if changes else task


def _own_task(name: str) -> Task:
    """Return a task that is not in TASKS; see task_named()."""
    found = TASK.load(name)
    if isinstance(found, Task):
        return found
    if callable(found):
        return Task(name, (WeightedTerm(cast("Any", found), 1.0),))
    raise EvolveError(f'the task "{name}" is {found!r}; give a Task, or a function of a Trajectory')
