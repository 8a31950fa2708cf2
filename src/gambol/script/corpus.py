"""A corpus: the bodies of one figure as a script builds them, and the figure that comes of them."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from gambol.errors import GambolError, did_you_mean
from gambol.figure import Figure, Joint, JointSpring, Link, Part, Triple, transposed, turned
from gambol.figure.springs import Scale
from gambol.script.language.lines import ScriptError
from gambol.script.things import Transform
from gambol.world import State

DAMPER, LINEAR, LIMITS, EXTRA, EXPONENTIAL = 1, 2, 4, 8, 16
"""The flags that add up to a Q_type; the thesis uses 3 and 17, the other two are placed in the order of its text."""

EVERYTHING = DAMPER | LINEAR | LIMITS | EXTRA | EXPONENTIAL

SCALES: dict[str, Scale] = {"none": "none", "mass": "mass", "distalmass": "distal mass"}


@dataclass(slots=True)
class Body:
    """A link in the making. parts: its solids, in its own frame; pose: in its parent.

    axis, in_parent: of its joint, and whether in the parent's axes. numbers: of its spring, as `joint` set them, and
    the lines of the script that did; Q_type: which of them act, None for all; angle: where `joint` put it; sticks:
    whether its corners hold the ground.
    """

    name: str
    parts: list[Part]
    axis: Triple
    kind: str
    in_parent: bool = False
    pose: Transform = field(default_factory=Transform)
    parent: str | None = None
    numbers: dict[str, float] = field(default_factory=dict[str, float])
    lines: dict[str, str] = field(default_factory=dict[str, str])
    angle: float = 0.0
    Q_type: int | None = None
    scale: Scale = "none"
    sticks: bool = False

    def link(self) -> Link:
        """The link of a figure, with its joint."""
        rotation = self.pose.linear
        axis = turned(transposed(rotation), self.axis) if self.in_parent else self.axis
        return Link(self.name, self.parent, Joint(self.kind, axis, rotation, self.pose.shift), tuple(self.parts))

    def line_of(self, *parameters: str) -> str:
        """How an error about some of its numbers begins: with the line that set one of them last."""
        last = [where for name, where in self.lines.items() if name in parameters]
        return f"{last[-1]}: joint: " if last else ""

    def spring(self) -> JointSpring | None:
        """What pushes at its joint, or None where nothing was said of it.

        Raises ScriptError, with the line that is to blame, for numbers that do not go together.
        """
        n = self.numbers
        if not n and self.Q_type is None:
            return None
        acts = EVERYTHING if self.Q_type is None else self.Q_type
        linear, exponential, limits = acts & LINEAR, acts & EXPONENTIAL, acts & LIMITS
        rests = [n[name] for name, flag in (("k_q", linear), ("e_q", exponential)) if flag and name in n]
        if len(set(rests)) > 1:
            raise ScriptError(
                f'{self.line_of("k_q", "e_q")}the two springs of "{self.name}" are slack at {rests[0]:g} (k_q) and '
                f"{rests[1]:g} (e_q); "
                "a joint has one rest angle for both, so give the same or leave one spring out of Q_type"
            )
        return JointSpring(
            stiffness=n.get("k", 0.0) if linear else 0.0,
            alpha=n.get("ea", 0.0) if exponential else 0.0,
            beta=n.get("eB", 0.0) if exponential else 0.0,
            damping=n.get("b", 0.0) if acts & DAMPER else 0.0,
            rest=rests[0] + 0.0 if rests else 0.0,
            lower=n.get("l_min", -math.inf) if limits else -math.inf,
            upper=n.get("l_max", math.inf) if limits else math.inf,
            limit_stiffness=n.get("l_k", 0.0) if limits else 0.0,
            limit_damping=n.get("l_b", 0.0) if limits else 0.0,
            bias=n.get("extra", 0.0) if acts & EXTRA else 0.0,
            scale=self.scale,
        )


@dataclass(slots=True)
class Corpus:
    """A figure in the making.

    base: how the root moves; place: of a fixed root in the world; pending: what moves of the root since setrootpos;
    ready: after corpusinit; placed: whether the script said where it is; integrated: on the integration list; fastest:
    speeds [m/s, rad/s] that bodies are not expected to pass. state: of the figure; edits: what to do to it next.
    """

    name: str
    bodies: dict[str, Body] = field(default_factory=dict[str, Body])
    root: str | None = None
    base: Literal["free", "fixed"] = "free"
    place: Transform = field(default_factory=Transform)
    pending: Transform = field(default_factory=Transform)
    ready: bool = False
    placed: bool = False
    integrated: bool = True
    fastest: dict[str, tuple[float, float]] = field(default_factory=dict[str, tuple[float, float]])
    state: State | None = None
    edits: list[Callable[[State], None]] = field(default_factory=list[Callable[[State], None]])

    def body(self, name: str) -> Body:
        """The body of this name; GambolError with the nearest name when there is none."""
        if name not in self.bodies:
            raise GambolError(f'corpus "{self.name}" has no body "{name}"; {did_you_mean(name, self.bodies)}')
        return self.bodies[name]

    def unfinished(self, what: str) -> None:
        """Raise GambolError when the figure has been made and can no longer be changed."""
        if self.ready:
            raise GambolError(f'corpus "{self.name}" was made by corpusinit; {what} before that')

    def finished(self) -> None:
        """Raise GambolError when the figure has not been made yet."""
        if not self.ready:
            raise GambolError(f'corpus "{self.name}" is not made yet; give corpusinit first')

    def figure(self) -> Figure:
        """The figure. Raises FigureError or GambolError for bodies that make none."""
        if self.root is None:
            raise GambolError(f'corpus "{self.name}" has no root; name it by setroot')
        return Figure(self.name, tuple(self._link(body) for body in self.bodies.values()))

    def _link(self, body: Body) -> Link:
        if body.name != self.root:
            return body.link()
        fixed = Joint("fixed", rotation=self.place.linear, position=self.place.shift)
        return Link(body.name, body.parent, fixed if self.base == "fixed" else Joint("free"), tuple(body.parts))

    def springs(self) -> dict[str, JointSpring]:
        """The springs of all joints that have any, by the name of their link."""
        made = {name: body.spring() for name, body in self.bodies.items() if name != self.root}
        springs = {name: spring for name, spring in made.items() if spring is not None}
        for name, spring in springs.items():
            if not spring.lower < spring.upper:
                raise ScriptError(
                    f'{self.bodies[name].line_of("l_min", "l_max")}the limits of "{name}" are {spring.lower:g} (l_min) '
                    f"and {spring.upper:g} (l_max); the lower must be below the upper"
                )
        return springs

    def children(self, name: str) -> list[str]:
        """The bodies that hang on one."""
        return [body.name for body in self.bodies.values() if body.parent == name]
