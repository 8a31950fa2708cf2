"""External actions on a figure, besides gravity and contact: pushes, attachments, a fluid, a prescribed base."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from gambol.contact import Attachment, Medium, SpringDamper
from gambol.errors import WorldError
from gambol.figure import Figure
from gambol.integrate import INTEGRATORS
from gambol.lanes import Precision, Scalar
from gambol.world.timing import MIN_PUSH_ROUNDINGS, MIN_PUSH_STEPS, Timing

BaseAcceleration: TypeAlias = Callable[[Scalar, Sequence[Scalar], Sequence[Scalar]], Sequence[Scalar]]
"""A function of time [s], q and v that returns six accelerations of a base's joint, angular first, in root axes."""

CUT_DYNAMICS = ("aba", "crba")
"""The methods of forward dynamics whose programs can have masses as inputs, which cuts need."""


@dataclass(frozen=True, slots=True)
class Push:
    """An external push at the root's centre of mass: force in world axes [N], from start to end [s].

    Raises WorldError for numbers that are not finite and if the end is before the start. A world refuses a push that
    lasts less than a thousandth of its control step, see check_push().
    """

    force: tuple[float, float, float] = (0.0, 0.0, 0.0)
    start: float = 0.0
    end: float = 0.0

    def __post_init__(self) -> None:
        if not all(map(math.isfinite, self.force)):
            raise WorldError(f"a push of {self.force} N is impossible; its force must be finite")
        if not -math.inf < self.start <= self.end < math.inf:
            raise WorldError(f"a push cannot start at {self.start} s and end at {self.end} s")


def check_push(push: Sequence[ArrayLike], timing: Timing, precision: Precision = "float64") -> None:
    """Raise WorldError for a push that is too short for the times at which steps can end.

    push: force in world axes [N], start and end [s], each a number or an array (W,). precision: precision of the
    program.
    """
    columns = np.broadcast_arrays(*(np.asarray(x, float) for x in push))
    *force, start, end = (np.ravel(x) for x in columns)
    shortest = np.maximum(
        MIN_PUSH_STEPS * timing.control_step,
        MIN_PUSH_ROUNDINGS * np.spacing(np.abs(end).astype(precision)).astype(float),
    )
    duration, acts = end - start, np.any(force, axis=0)
    if not len(lanes := np.flatnonzero(acts & (duration != 0.0) & ~(duration >= shortest))):
        return
    k = int(lanes[0])
    if not duration[k] > 0.0:
        raise WorldError(f"a push cannot start at {start[k]} s and end at {end[k]} s")
    equal_force = ", ".join(f"{x[k] * duration[k] / shortest[k]:.4g}" for x in force)
    raise WorldError(
        f"a push of {duration[k]:.4g} s is too short for control steps of {timing.control_step:.4g} s in {precision}; "
        f"the shortest at {end[k]:.4g} s is {shortest[k]:.4g} s. "
        f"A force of ({equal_force}) N for that time has the same impulse"
    )


@dataclass(frozen=True)
class External:
    """External forces on a figure, besides gravity and contact, and the motion of a prescribed base.

    push: a force at the root. attachments: springs that may break, to points of the world or of other links.
    spring_dampers: linear springs and dampers between two points. medium: a fluid that acts on every link with mass, or
    None. base_acceleration: acceleration of a prescribed base, or None. wrenches: names of links on which the
    world's input "wrenches" acts: moment about the link's origin and force, in world axes [N m, N]. cuts: names of the
    first links of subtrees, such as legs, that the world's input "cuts" cuts off, see cuts.py.
    """

    push: Push = field(default_factory=Push)
    attachments: tuple[Attachment, ...] = ()
    spring_dampers: tuple[SpringDamper, ...] = ()
    medium: Medium | None = None
    base_acceleration: BaseAcceleration | None = None
    wrenches: tuple[str, ...] = ()
    cuts: tuple[str, ...] = ()

    @property
    def medium_structure(self) -> bool | tuple[str, ...]:
        """The part of the medium that is compiled into a program, see Medium.structure(); False without a medium."""
        return self.medium.structure() if self.medium else False

    def check(self, figure: Figure, timing: Timing, dynamics: str) -> None:
        """Raise WorldError or FigureError for links that a figure lacks, and for base_acceleration without such a base.

        It also raises WorldError for a prescribed base without base_acceleration, for a push that is too short for the
        world's timing, and for subtrees that cannot be cut off. dynamics: method of forward dynamics.
        """
        check_push([*self.push.force, self.push.start, self.push.end], timing)
        for spring in (*self.attachments, *self.spring_dampers):
            for name in (spring.link, spring.other):
                if name is not None:
                    figure.link(name)
        for name in self.wrenches:
            figure.link(name)
        self._check_cuts(figure, dynamics)
        if figure.prescribed != (self.base_acceleration is not None):
            raise WorldError("a prescribed base and base_acceleration belong together: give both or neither")
        if figure.prescribed and timing.integrator.step is INTEGRATORS["variational"].step:
            raise WorldError("the variational method is not available for a figure with a prescribed base")

    def _check_cuts(self, figure: Figure, dynamics: str) -> None:
        """Raise WorldError or FigureError for subtrees that cannot be cut off; dynamics: method of forward dynamics."""
        if self.cuts and (figure.constraints or dynamics not in CUT_DYNAMICS):
            reason = "it has closed loops" if figure.constraints else f'its method of dynamics is "{dynamics}"'
            raise WorldError(f'no subtree of "{figure.name}" can be cut off, since {reason}')
        connected = {
            name for spring in (*self.attachments, *self.spring_dampers) for name in (spring.link, spring.other)
        }
        roots = {root.index for root in figure.roots}
        for name in self.cuts:
            link = figure.link(name)
            if link.index in roots or link.is_fixed:
                raise WorldError(f'"{name}" cannot be cut off; give a link with a parent and a joint that moves')
            if names := [each.name for each in figure.subtree(link.index) if each.name in connected]:
                raise WorldError(f'"{name}" cannot be cut off: an attachment or a spring-damper acts on "{names[0]}"')


@dataclass(frozen=True, slots=True)
class InitialState:
    """The state at which start() begins: q (nq) and v (nv); empty: every joint is at rest."""

    q: tuple[float, ...] = ()
    v: tuple[float, ...] = ()

    def check(self, figure: Figure) -> None:
        """Raise WorldError for a length other than the figure's, or a number that is not finite."""
        for name, values, count in (("q", self.q, figure.nq), ("v", self.v, figure.nv)):
            if len(values) not in (0, count) or not all(map(math.isfinite, values)):
                raise WorldError(f"the initial {name} has {len(values)} numbers; give {count} finite numbers, or none")
