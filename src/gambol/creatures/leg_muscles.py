"""Antagonist muscles that replace the springs that a creature's motor programs drive; a few numbers determine them.

At each driven joint the muscles have the rest angle of the spring, and its stiffness at a working point. An exponential
spring alpha (e^(beta x) - 1) bears the torque `load` alpha at x = w, and antagonists are as stiff as its secant there.
Their maximal speed gives them the damping of the spring's damper:

    w = ln(1 + load) / beta        K = load alpha / w        max_velocity = K V'(0) A / (A' damping)

The reach of the pair is half the range of the rest angles in the motor programs, plus w. With another max_velocity the
joint has an additional damper for missing damping; the muscles may have more damping than the spring's damper. The
derivation is ours.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from gambol.actuation.muscle import Antagonists
from gambol.creatures.creature import Creature
from gambol.errors import WorldError
from gambol.figure import JointSpring


@dataclass(frozen=True, slots=True)
class LegMuscles:
    """The numbers of all muscles of a creature's legs; numbers that do not follow from the springs are ours.

    arm: moment arms, as a fraction of the length of the moved link. co_contraction: activation of both antagonists in
    the middle of their range. rise: time of activation [s]. max_velocity: velocity of shortening [optimal lengths per
    second], or None: computed for each pair from the damper of its joint. load: torque at the working point, as a
    multiple of alpha of the spring. lead: see MuscleGait [s]. Raises WorldError for invalid numbers.
    """

    arm: float = 0.1
    co_contraction: float = 0.2
    rise: float = 0.005
    max_velocity: float | None = None
    load: float = 10.0
    lead: float = 0.005

    def __post_init__(self) -> None:
        for name in ("arm", "co_contraction", "rise", "max_velocity", "load"):
            if (value := getattr(self, name)) is not None and not 0.0 < value < math.inf:
                raise WorldError(f"the {name} of leg muscles is {value}; it must be more than 0, and finite")
        if not 0.0 <= self.lead < math.inf:
            raise WorldError(f"the lead of leg muscles is {self.lead}; it must be 0 or more, and finite")


def leg_antagonists(creature: Creature, muscles: LegMuscles) -> tuple[Antagonists, ...]:
    """Return the antagonists at all joints that a creature's motor programs drive.

    Raises WorldError for a driven joint without a spring.
    """
    springs = creature.resolved_springs()
    return tuple(
        _antagonists(creature, joint, springs[joint], muscles)
        for joint in dict.fromkeys(joint for leg in creature.legs for joint in leg.joints)
    )


def without_driven_springs(creature: Creature, antagonists: tuple[Antagonists, ...]) -> dict[str, JointSpring]:
    """Return the springs of a creature by link name; joints with antagonists have a damper for the missing damping."""
    springs: Mapping[str, JointSpring] = creature.resolved_springs()
    dampers = {
        pair.joint: replace(
            springs[pair.joint],
            stiffness=0.0,
            alpha=0.0,
            beta=0.0,
            damping=max(springs[pair.joint].damping - pair.damping, 0.0),
        )
        for pair in antagonists
    }
    return {**springs, **dampers}


def _antagonists(creature: Creature, joint: str, spring: JointSpring, muscles: LegMuscles) -> Antagonists:
    """Return the antagonists at a joint. spring: spring of the joint, in SI units."""
    deflection, stiffness = working_point(spring, muscles.load)
    if not stiffness > 0.0:
        raise WorldError(f'the spring at "{joint}" has no stiffness that muscles could have; give it one')
    commands = [c for leg in creature.legs for c in (*leg.step, *leg.stance) if c.joint == joint]
    angles = [spring.rest, *(command.target for command in commands)]
    lower, upper = min(angles), max(angles)
    pair = Antagonists(
        joint,
        stiffness=stiffness,
        middle=0.5 * (lower + upper),
        reach=0.5 * (upper - lower) + deflection,
        radius=muscles.arm * _length(creature, joint),
        co_contraction=muscles.co_contraction,
        max_velocity=muscles.max_velocity or 10.0,
        rise=muscles.rise,
    )
    if muscles.max_velocity is not None or not spring.damping:
        return pair
    return replace(pair, max_velocity=pair.max_velocity * pair.damping / spring.damping)


def working_point(spring: JointSpring, load: float) -> tuple[float, float]:
    """Return the deflection of a spring at the torque load alpha [rad], and its secant stiffness there [N m/rad].

    A spring without an exponential part has its linear stiffness, and no deflection.
    """
    if not (spring.alpha and spring.beta):
        return 0.0, spring.stiffness
    deflection = math.log1p(load) / spring.beta
    return deflection, load * spring.alpha / deflection + spring.stiffness


def _length(creature: Creature, name: str) -> float:
    """Return the largest extent of a link's contact points along an axis [m]."""
    points = [part.position for part in creature.figure.link(name).contact_points()]
    return max(max(x) - min(x) for x in zip(*points, strict=True))
