"""A corpus: the bodies of a figure that a script builds, and the figure itself."""

import math
from dataclasses import dataclass, field
from typing import Literal

from gambol.errors import GambolError, did_you_mean
from gambol.figure import Figure, Joint, JointSpring, Link, Part, Triple, rotated, transposed
from gambol.figure.springs import Scale
from gambol.script.graphic_objects import Transform
from gambol.script.language.lines import ScriptError

DAMPER, LINEAR, LIMITS, EXTRA, EXPONENTIAL = 1, 2, 4, 8, 16
"""The flags of a Q_type, which is their sum. The thesis only shows 3 and 17; so 4 and 8 are assumed, in the order in
which the text names the flags."""

ALL_FLAGS = DAMPER | LINEAR | LIMITS | EXTRA | EXPONENTIAL

SCALES: dict[str, Scale] = {"none": "none", "mass": "mass", "distalmass": "distal mass"}


@dataclass(slots=True)
class Body:
    """A link under construction.

    parts: solids, in the body's frame. axis, kind: axis and kind of the joint. in_parent: True if the axis is in the
    parent's frame. pose: pose in the parent's frame. parent: name of the parent. numbers: spring parameters set by
    `joint`, by name; lines: line of the script that set each of them. angle: angle of the joint, set by `joint` [rad or
    m]. Q_type: sum of the flags of the numbers that act; None: all act. scale: scale of the spring. sticks: True if the
    corners of the body grip the ground.
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
        """Return the link of the figure, with its joint."""
        rotation = self.pose.linear
        axis = rotated(transposed(rotation), self.axis) if self.in_parent else self.axis
        return Link(self.name, self.parent, Joint(self.kind, axis, rotation, self.pose.shift), tuple(self.parts))

    def line_prefix(self, *parameters: str) -> str:
        """Return the prefix of an error about some numbers of the spring: the line that last set one of them."""
        lines = [line for name, line in self.lines.items() if name in parameters]
        return f"{lines[-1]}: joint: " if lines else ""

    def spring(self) -> JointSpring | None:
        """Return the spring of the joint, or None if no number was set.

        Raises ScriptError, with the line of the script, for inconsistent numbers.
        """
        n = self.numbers
        if not n and self.Q_type is None:
            return None
        flags = ALL_FLAGS if self.Q_type is None else self.Q_type
        linear, exponential, limits = flags & LINEAR, flags & EXPONENTIAL, flags & LIMITS
        rest_angles = [n[name] for name, flag in (("k_q", linear), ("e_q", exponential)) if flag and name in n]
        if len(set(rest_angles)) > 1:
            raise ScriptError(
                f'{self.line_prefix("k_q", "e_q")}the two springs of "{self.name}" have the rest angles '
                f"{rest_angles[0]:g} (k_q) and {rest_angles[1]:g} (e_q); "
                "a joint has one rest angle for both springs; give the same, or leave one spring out of Q_type"
            )
        return JointSpring(
            stiffness=n.get("k", 0.0) if linear else 0.0,
            alpha=n.get("ea", 0.0) if exponential else 0.0,
            beta=n.get("eB", 0.0) if exponential else 0.0,
            damping=n.get("b", 0.0) if flags & DAMPER else 0.0,
            rest=rest_angles[0] + 0.0 if rest_angles else 0.0,
            lower=n.get("l_min", -math.inf) if limits else -math.inf,
            upper=n.get("l_max", math.inf) if limits else math.inf,
            limit_stiffness=n.get("l_k", 0.0) if limits else 0.0,
            limit_damping=n.get("l_b", 0.0) if limits else 0.0,
            bias=n.get("extra", 0.0) if flags & EXTRA else 0.0,
            scale=self.scale,
        )


@dataclass(slots=True)
class Corpus:
    """A figure under construction.

    bodies: bodies by name. root: name of the root body. base: kind of the root's joint. root_pose: pose of a fixed root
    in the world. pending_move: transform of the root since the last setrootpos. is_made: True after corpusinit.
    is_placed: True if the script has placed the root. is_integrated: True if the figure is simulated. max_speeds:
    speeds of bodies above which a line is output [m/s, rad/s]. cut: bodies that are cut off, with all that hangs on
    them.
    """

    name: str
    bodies: dict[str, Body] = field(default_factory=dict[str, Body])
    root: str | None = None
    base: Literal["free", "fixed"] = "free"
    root_pose: Transform = field(default_factory=Transform)
    pending_move: Transform = field(default_factory=Transform)
    is_made: bool = False
    is_placed: bool = False
    is_integrated: bool = True
    max_speeds: dict[str, tuple[float, float]] = field(default_factory=dict[str, tuple[float, float]])
    cut: set[str] = field(default_factory=set[str])

    def body(self, name: str) -> Body:
        """Return the body with a name. Raises GambolError, with the nearest name, for an unknown name."""
        if name not in self.bodies:
            raise GambolError(f'corpus "{self.name}" has no body "{name}"; {did_you_mean(name, self.bodies)}')
        return self.bodies[name]

    def check_not_made(self, remedy: str) -> None:
        """Raise GambolError if the figure is already made. remedy: the command to give earlier, for the message."""
        if self.is_made:
            raise GambolError(f'corpus "{self.name}" was made by corpusinit; {remedy}')

    def check_made(self) -> None:
        """Raise GambolError if the figure is not made yet."""
        if not self.is_made:
            raise GambolError(f'corpus "{self.name}" is not made yet; give corpusinit first')

    def figure(self) -> Figure:
        """Return the figure. Raises FigureError or GambolError if the bodies are not a valid figure."""
        if self.root is None:
            raise GambolError(f'corpus "{self.name}" has no root; name it by setroot')
        return Figure(self.name, tuple(self._link(body) for body in self.bodies.values()))

    def _link(self, body: Body) -> Link:
        if body.name != self.root:
            return body.link()
        fixed = Joint("fixed", rotation=self.root_pose.linear, position=self.root_pose.shift)
        return Link(body.name, body.parent, fixed if self.base == "fixed" else Joint("free"), tuple(body.parts))

    def springs(self) -> dict[str, JointSpring]:
        """Return the springs of all joints that have any, by link name. Raises ScriptError for inconsistent numbers."""
        all_springs = {name: body.spring() for name, body in self.bodies.items() if name != self.root}
        springs = {name: spring for name, spring in all_springs.items() if spring is not None}
        for name, spring in springs.items():
            if not spring.lower < spring.upper:
                raise ScriptError(
                    f'{self.bodies[name].line_prefix("l_min", "l_max")}the limits of "{name}" are {spring.lower:g} '
                    f"(l_min) and {spring.upper:g} (l_max); the lower must be below the upper"
                )
        return springs

    def children(self, name: str) -> list[str]:
        """Return the names of the child bodies of a body."""
        return [body.name for body in self.bodies.values() if body.parent == name]
