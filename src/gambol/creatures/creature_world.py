"""The world of a creature, and its initial state: standing on the ground."""

import math
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.collide import Ground, Plane
from gambol.contact import ContactMethod, ContactParameters, StickyFoot, SurfaceProperties, contact_method
from gambol.contact.generation.max_contacts import MIN_FIGURE_CONTACTS
from gambol.contact.penalty.law import unsoftened, unsoftened_foot
from gambol.contact.surface import Grip
from gambol.contact.table import DEFAULT_METHOD
from gambol.creatures.creature import Creature
from gambol.creatures.leg_muscles import LegMuscles, leg_antagonists, without_driven_springs
from gambol.creatures.leg_reflexes import checked_reflexes, reflex_modifiers, reflex_triggers
from gambol.creatures.steered import path_start, steered
from gambol.creatures.trunk import trunk_pairs
from gambol.errors import WorldError, did_you_mean
from gambol.figure import JointSpring
from gambol.gait import GaitController, GroundPath, TimedValue, with_muscles
from gambol.lanes import Precision
from gambol.world import External, Push, State, Timing, World, depth_of, start

Feet = Literal["sliding", "sticky"]
"""The hold of feet on the ground: by friction alone, or by springs that break under too much pull."""

FEET: tuple[Feet, ...] = ("sliding", "sticky")

Law = Literal["softened", "thesis"]
"""The law of compliant ground: with softened switches (docs/decisions/004), or as in the thesis."""

LAWS: tuple[Law, ...] = ("softened", "thesis")

THESIS_METHOD, THESIS_STEP = "rk4", 1e-5
"""Integrator and step [s] of the contact law of the thesis: its Runge-Kutta method with fixed steps. With the
33 us of the script of the thesis, every roach stopped with infinite forces within 54 ms, when its feet landed.
"""

SETTLING_TIME = 0.1
"""Time of standing before the first step [s]: a roach that is dropped from its body height comes to rest in this time.
"""

LARGE_STEP = 1.0 / 1200.0
"""Step of the velocity-level contact methods [s]: a hundredth of the tripod gait's cycle, and thirteen times the mean
step of penalty contact."""

WALK_ITERATIONS = 32
"""Iterations of the iterative contact methods. The mass of a foot is a ten-thousandth of the total: after 8 iterations
single steps of a walk violate the laws of contact by 8 cm/s, after 12 by 2 cm/s and after 32 by 0.8 cm/s. For a single
world 32 iterations take no more time."""

TOLERANCE = 1e-3
"""Tolerance of a step for which the energy ledger still balances: see the theory page on time."""


def world_of(
    creature: Creature,
    *,
    speed: float = 1.0,
    speed_after: float | None = None,
    ramp: tuple[float, float] = (0.0, 1.0),
    feet: Feet = "sliding",
    ground: Ground | None = None,
    reflexes: bool | Collection[str] = True,
    begins: float = SETTLING_TIME,
    push: Push | None = None,
    tolerance: float = TOLERANCE,
    contact: ContactMethod | str = DEFAULT_METHOD,
    solid_trunk: bool = False,
    muscles: LegMuscles | bool = False,
    grip: Grip = "feet",
    law: Law = "softened",
    stroke: TimedValue = 1.0,
    turn: TimedValue = 0.0,
    sideways: TimedValue = 0.0,
    lean: TimedValue = 0.0,
    hold: bool = False,
    path: GroundPath | ArrayLike | None = None,
) -> World:
    """Return a world in which a creature walks.

    speed: speed factor, 1 is the tripod gait and 2 half as fast; speed_after: factor at the end of the ramp; ramp:
    start and end of the ramp [s]. feet: "sliding" or "sticky". ground: the ground; None: level ground. reflexes: True
    if calibrated reflexes act, or names in LEG_REFLEXES. begins: time of the first step [s]. push: an external push.
    tolerance: see Timing. contact: contact method, or its name; a method given by its name has WALK_ITERATIONS
    iterations. Methods with fixed steps take one in each control step of LARGE_STEP seconds. solid_trunk: True if legs
    collide with the trunk, see trunk_pairs(); else they pass through it, as they always do through each other. muscles:
    numbers of antagonist muscles that replace the springs of motor programs, True for default numbers, or False for
    springs. grip: links that stick to compliant ground by bristles, see SurfaceProperties: with "feet", shins and trunk
    skid viscously at low speeds. law: "thesis" for the ground of the thesis, with forces that switch at zero speed; it
    has no bristles, and takes fixed steps. stroke: length of strokes, as a multiple of that of the motor programs, -1
    is backward; turn: rate of turn to the left [rad/s]; sideways: velocity to the left [m/s]; lean: angle of the trunk,
    left side up [rad]; each a number, or pairs of time [s] and value. hold: True if a compass holds the heading that
    results from turns. path: a path to follow, or its points (n, 2) or (n, 3), see GroundPath; the creature starts on
    it. Raises WorldError for invalid values.
    """
    if feet not in FEET:
        raise WorldError(f'feet cannot be "{feet}"; {did_you_mean(feet, FEET)}')
    if law not in LAWS:
        raise WorldError(f'the law of the ground cannot be "{law}"; {did_you_mean(law, LAWS)}')
    method = contact_method(contact, max_contacts=MIN_FIGURE_CONTACTS, iterations=WALK_ITERATIONS)
    gait = _gait(creature, (speed, speed_after), ramp, begins, checked_reflexes(reflexes))
    commands: dict[str, TimedValue] = {"stroke": stroke, "turn": turn, "sideways": sideways, "lean": lean}
    gait = steered(gait, creature, commands, path, hold=hold)
    springs: Mapping[str, JointSpring] = creature.springs
    timing = timing_for(creature, method, tolerance)
    if muscles:
        numbers = muscles if isinstance(muscles, LegMuscles) else LegMuscles()
        antagonists = leg_antagonists(creature, numbers)
        gait, springs = with_muscles(gait, antagonists, numbers.lead), without_driven_springs(creature, antagonists)
    return World(
        creature.figure,
        springs,
        ground=ground if ground is not None else Plane(),
        surface=_surface(creature, method, feet, grip, law),
        external=External(push=push or Push()),
        controller=gait,
        timing=timing if law == "softened" else replace(timing, method=THESIS_METHOD, step=THESIS_STEP),
        contact=method,
        pairs=trunk_pairs(creature) if solid_trunk else (),
    )


def _surface(creature: Creature, method: ContactMethod, feet: Feet, grip: Grip, law: Law) -> SurfaceProperties:
    """Return the surface properties of the ground and the feet of a creature. Arguments: as for world_of()."""
    surface = SurfaceProperties(
        contact_parameters_of(creature, method),
        feet=tuple(leg.foot for leg in creature.legs),
        sticky=sticky_foot_of(creature) if feet == "sticky" else None,
        grip=grip,
    )
    if law == "softened":
        return surface
    if not method.scheme.compliant:
        raise WorldError('the law "thesis" is that of compliant ground; choose the contact method "penalty"')
    if grip != "feet":
        raise WorldError(f'the law "thesis" has no bristles, so its grip cannot be "{grip}"; leave grip out')
    parameters, sticky = surface.parameters, surface.sticky
    assert isinstance(parameters, ContactParameters)
    sticky = None if sticky is None else unsoftened_foot(sticky)
    return replace(surface, parameters=unsoftened(parameters), sticky=sticky, grip="none")


def _gait(
    creature: Creature,
    speeds: tuple[float, float | None],
    ramp: tuple[float, float],
    begins: float,
    reflexes: Collection[str],
) -> GaitController:
    """Return the gait controller of a creature. speeds: factors at the start and the end of the ramp."""
    return GaitController(
        creature.legs,
        {name: spring.rest for name, spring in creature.springs.items()},
        metabolism=creature.gait.protraction,
        speed=speeds[0],
        speed_after=speeds[1],
        ramp_start=ramp[0],
        ramp_end=ramp[1],
        begins=begins,
        stance_first=creature.gait.stance_first,
        reflexes=reflex_triggers(creature, reflexes),
        modifiers=reflex_modifiers(creature, reflexes),
    )


def timing_for(creature: Creature, contact: ContactMethod | str, tolerance: float = TOLERANCE) -> Timing:
    """Return the time steps of a creature's world. contact: contact method. tolerance: see Timing."""
    if not contact_method(contact).scheme.fixed_step:
        return Timing(control_step=creature.timing.control_step, step=creature.timing.step, tolerance=tolerance)
    return Timing(control_step=LARGE_STEP, step=LARGE_STEP, method="semi-implicit euler", tolerance=tolerance)


def _ground_scale(creature: Creature) -> float:
    """Return the factor of the constants of a creature's ground and sticky feet."""
    return creature.figure.mass if creature.ground.scale == "figure mass" else 1.0


def contact_parameters_of(creature: Creature, contact: ContactMethod | str = DEFAULT_METHOD) -> ContactParameters:
    """Return the contact parameters of a creature's ground, scaled to SI units.

    contact: contact method. Restitution is 0 unless the method is compliant: in the thesis it scales the spring force
    of a soft ground; a foot that lands on hard ground does not rebound.
    """
    g, scale, compliant = creature.ground, _ground_scale(creature), contact_method(contact).scheme.compliant
    return ContactParameters(
        stiffness=scale * g.stiffness,
        alpha=scale * g.alpha,
        beta=g.beta,
        damping=scale * g.damping,
        deepest=g.deepest,
        restitution=g.restitution if compliant else 0.0,
        restitution_speed=g.restitution_speed,
        friction=g.friction,
        bristle_stiffness=scale * g.bristle_stiffness,
        bristle_damping=scale * g.bristle_damping,
        skid_damping=scale * g.skid_damping,
    )


def sticky_foot_of(creature: Creature) -> StickyFoot:
    """Return the constants of a creature's sticky feet, scaled to SI units."""
    s, scale = creature.stick, _ground_scale(creature)
    return StickyFoot(scale * s.alpha, s.beta, scale * s.damping, s.restitution, s.return_speed, s.reach)


def standing_state(
    creature: Creature,
    world: World,
    worlds: int = 1,
    *,
    positions: NDArray[np.float64] | None = None,
    drop: float = 0.001,
    jitter: float = 0.0,
    seed: int = 0,
    precision: Precision = "float64",
) -> State:
    """Return the initial state of a creature: just above the ground, with its initial joint angles.

    A creature that follows a path stands at the beginning of the path, with its heading along the path.

    worlds: number of worlds. positions: (worlds, 2), x and y of each world's root [m]; None: the origin, or the
    beginning of the path. drop: height of the lowest point above the ground [m]. jitter, seed, precision: see start().
    Raises WorldError for positions of another shape.
    """
    x, y, heading = path_start(world)
    position = np.array([x, y, height_above(creature, world, x, y) + drop])
    if positions is not None:
        xy = np.asarray(positions, float)
        if xy.shape != (worlds, 2):
            raise WorldError(f"the positions of {worlds} worlds have the shape ({worlds}, 2), not {xy.shape}")
        distinct, index = np.unique(xy, axis=0, return_inverse=True)
        z = np.array([height_above(creature, world, x, y) + drop for x, y in distinct])[index.reshape(-1)]
        position = np.column_stack([xy, z])
    angles = dict(creature.angles)
    state = start(world, worlds, position=position, angles=angles, jitter=jitter, seed=seed, precision=precision)
    if heading != 0.0:
        state.q[:, :4] = (math.cos(0.5 * heading), 0.0, 0.0, math.sin(0.5 * heading))
    return state


def height_above(creature: Creature, world: World, x: float, y: float) -> float:
    """Return the height of the root at (x, y) at which a creature at its initial angles just touches the ground [m]."""
    q = start(world, position=(x, y, 0.0), angles=dict(creature.angles)).q[0]
    return depth_of(world, q.tolist())
