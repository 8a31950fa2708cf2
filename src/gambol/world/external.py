"""What acts on a figure from outside, besides gravity and contact: pushes, attachments, a fluid, a moved base."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from gambol.contact import Attachment, Medium, SpringDamper
from gambol.errors import WorldError
from gambol.figure import Figure
from gambol.integrate import INTEGRATORS, Integrator
from gambol.lanes import Scalar

BaseAcceleration: TypeAlias = Callable[[Scalar, Sequence[Scalar], Sequence[Scalar]], Sequence[Scalar]]
"""Returns the six accelerations of a base's joint, angular first, in root coordinates, from time [s], q and v."""


@dataclass(frozen=True, slots=True)
class Push:
    """An external push at the root's centre of mass: force in world axes [N], from start to end [s].

    Raises WorldError for numbers that are not finite and for an end before the start.
    """

    force: tuple[float, float, float] = (0.0, 0.0, 0.0)
    start: float = 0.0
    end: float = 0.0

    def __post_init__(self) -> None:
        if not all(map(math.isfinite, self.force)):
            raise WorldError(f"a push of {self.force} N is impossible; its force must be finite")
        if not -math.inf < self.start <= self.end < math.inf:
            raise WorldError(f"a push cannot start at {self.start} s and end at {self.end} s")


@dataclass(frozen=True)
class External:
    """External forces on a figure, besides gravity and contact, and the motion of a prescribed base.

    push: a force at the root. attachments: springs that may break, to points of the world or of other links.
    spring_dampers: linear springs and dampers between two points. medium: a fluid that drags at every link with mass,
    or None. base_acceleration: of a prescribed base, or None. wrenches: names of links on which the world's input
    "wrenches" acts: moment about the link's origin and force, in world axes [N m, N].
    """

    push: Push = field(default_factory=Push)
    attachments: tuple[Attachment, ...] = ()
    spring_dampers: tuple[SpringDamper, ...] = ()
    medium: Medium | None = None
    base_acceleration: BaseAcceleration | None = None
    wrenches: tuple[str, ...] = ()

    def check(self, figure: Figure, integrator: Integrator) -> None:
        """Raise WorldError or FigureError for links that a figure lacks, and a base that it does not prescribe."""
        for spring in (*self.attachments, *self.spring_dampers):
            for name in (spring.link, spring.other):
                if name is not None:
                    figure.link(name)
        for name in self.wrenches:
            figure.link(name)
        if figure.prescribed != (self.base_acceleration is not None):
            raise WorldError("a prescribed base and base_acceleration belong together: give both or neither")
        if figure.prescribed and integrator.step is INTEGRATORS["variational"].step:
            raise WorldError("the variational method is not available for a figure with a prescribed base")


@dataclass(frozen=True, slots=True)
class InitialState:
    """The state at which start() begins: q (nq) and v (nv); empty for every joint at rest."""

    q: tuple[float, ...] = ()
    v: tuple[float, ...] = ()

    def check(self, figure: Figure) -> None:
        """Raise WorldError for a length other than the figure's, or a number that is not finite."""
        for name, values, count in (("q", self.q, figure.nq), ("v", self.v, figure.nv)):
            if len(values) not in (0, count) or not all(map(math.isfinite, values)):
                raise WorldError(f"the initial {name} has {len(values)} numbers; give {count} finite numbers, or none")
