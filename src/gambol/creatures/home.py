"""The world that a creature was made for, and the creature set down in it."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gambol.collide import Ground, Plane
from gambol.contact import Stick, Touch
from gambol.contact.stepping import ROUNDS
from gambol.control import GaitController
from gambol.creatures.creature import Creature
from gambol.creatures.trunk import trunk_pairs
from gambol.errors import WorldError, did_you_mean
from gambol.lanes import Precision
from gambol.world import Shove, State, Timing, World, depth_of, start
from gambol.world.room import ROOM
from gambol.world.world import LARGE_STEPS

Feet = Literal["sliding", "sticky"]
FEET: tuple[Feet, ...] = ("sliding", "sticky")

SETTLING = 0.1
"""Time to stand before the first step [s]: a roach dropped from a body's height is still by then."""

LARGE = 1.0 / 1200.0
"""The step of contact methods that work on velocities [s]: a hundredth of the tripod's cycle, and thirteen times the
mean step that penalty contact takes."""

MANY_ROUNDS = 32
"""Rounds of contact methods that go round: a foot weighs a ten-thousandth of the whole, and at 8 rounds single steps
of a walk miss the laws of contact by 8 cm/s, at 12 by 2 cm/s and at 32 by 0.8 cm/s. One world alone takes no longer."""

TOLERANCE = 1e-3
"""The error of a step that the energy ledger bears: see the theory page on time."""


def world_of(
    creature: Creature,
    *,
    speed: float = 1.0,
    speed_after: float | None = None,
    ramp: tuple[float, float] = (0.0, 1.0),
    feet: Feet = "sliding",
    ground: Ground | None = None,
    reflexes: bool = True,
    begins: float = SETTLING,
    shove: Shove | None = None,
    tolerance: float = TOLERANCE,
    contact: str = "penalty",
    solid_trunk: bool = False,
) -> World:
    """A world in which a creature walks.

    speed: factor, 1 is the tripod gait and 2 half as fast; speed_after: factor at the end of ramp (from, to) [s].
    feet: "sliding" or "sticky". ground: level where None. reflexes: whether calibrated ones act. begins: when it starts
    to walk [s]. shove: a push. tolerance: see Timing. contact: what touching does, see World; methods other than
    "penalty" take one step in each frame of LARGE seconds. solid_trunk: whether legs meet the trunk, as of
    trunk_pairs(); else they pass through it, as they always do through each other. Raises WorldError for what cannot
    be.
    """
    if feet not in FEET:
        raise WorldError(f'feet cannot be "{feet}"; {did_you_mean(feet, FEET)}')
    return World(
        creature.figure,
        creature.springs,
        ground=ground if ground is not None else Plane(),
        touch=touch_of(creature, contact),
        feet=tuple(leg.foot for leg in creature.legs),
        stick=stick_of(creature) if feet == "sticky" else None,
        controller=_gait(creature, (speed, speed_after), ramp, begins, reflexes),
        timing=timing_for(creature, contact, tolerance),
        shove=shove or Shove(),
        contact=contact,
        room=ROOM,
        pairs=trunk_pairs(creature) if solid_trunk else (),
        rounds=ROUNDS if contact == "penalty" else MANY_ROUNDS,
    )


def _gait(
    creature: Creature, speeds: tuple[float, float | None], ramp: tuple[float, float], begins: float, reflexes: bool
) -> GaitController:
    """The creature's controller, for speeds at the start and the end of a ramp."""
    return GaitController(
        creature.legs,
        {name: spring.rest for name, spring in creature.springs.items()},
        metabolism=creature.gait.protraction,
        speed=speeds[0],
        speed_after=speeds[1],
        ramp_start=ramp[0],
        ramp_end=ramp[1],
        begins=begins,
        reflexes=creature.reflexes if reflexes else (),
    )


def timing_for(creature: Creature, contact: str, tolerance: float = TOLERANCE) -> Timing:
    """How time passes for a creature under a contact method."""
    if contact not in LARGE_STEPS:
        return Timing(frame=creature.timing.frame, step=creature.timing.step, tolerance=tolerance)
    return Timing(frame=LARGE, step=LARGE, method="semi-implicit euler", tolerance=tolerance)


def _scale(creature: Creature) -> float:
    return creature.figure.mass if creature.ground.scale == "figure mass" else 1.0


def touch_of(creature: Creature, contact: str = "penalty") -> Touch:
    """The touch of the creature's ground with its scale worked out [SI].

    contact: beside "penalty" nothing rebounds: what the thesis scales by its restitution is the spring of a soft
    ground, and a foot that lands on a hard one stays there.
    """
    g, scale = creature.ground, _scale(creature)
    return Touch(
        stiffness=scale * g.stiffness,
        alpha=scale * g.alpha,
        beta=g.beta,
        damping=scale * g.damping,
        deepest=g.deepest,
        restitution=g.restitution if contact == "penalty" else 0.0,
        restitution_speed=g.restitution_speed,
        friction=g.friction,
        bristle_stiffness=scale * g.bristle_stiffness,
        bristle_damping=scale * g.bristle_damping,
        skid_damping=scale * g.skid_damping,
    )


def stick_of(creature: Creature) -> Stick:
    """The hold of the creature's sticky feet with its scale worked out [SI]."""
    s, scale = creature.stick, _scale(creature)
    return Stick(scale * s.alpha, s.beta, scale * s.damping, s.restitution, s.return_speed, s.reach)


def set_down(
    creature: Creature,
    world: World,
    worlds: int = 1,
    *,
    places: NDArray[np.float64] | None = None,
    drop: float = 0.001,
    jitter: float = 0.0,
    seed: int = 0,
    precision: Precision = "float64",
) -> State:
    """The creature a little above the ground, with its initial joint angles.

    places: (worlds, 2), x and y of each world's root [m]; the origin where None. drop: how far it falls before it
    touches the ground [m]. jitter, seed: see start(). Raises WorldError for places of another shape.
    """
    position = np.array([0.0, 0.0, height_above(creature, world, 0.0, 0.0) + drop])
    if places is not None:
        xy = np.asarray(places, float)
        if xy.shape != (worlds, 2):
            raise WorldError(f"the places of {worlds} worlds have the shape ({worlds}, 2), not {xy.shape}")
        once, which = np.unique(xy, axis=0, return_inverse=True)
        z = np.array([height_above(creature, world, x, y) + drop for x, y in once])[which.reshape(-1)]
        position = np.column_stack([xy, z])
    angles = dict(creature.angles)
    return start(world, worlds, position=position, angles=angles, jitter=jitter, seed=seed, precision=precision)


def height_above(creature: Creature, world: World, x: float, y: float) -> float:
    """The height of the root at (x, y) at which, at its initial angles, the creature just touches the ground [m]."""
    q = start(world, position=(x, y, 0.0), angles=dict(creature.angles)).q[0]
    return depth_of(world, q.tolist())
