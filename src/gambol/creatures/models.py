"""The world of a model from a file, and its initial state.

Files hardly describe the ground, so its constants follow from the figure: with mass M, size L, g = 9.81 m/s2 (even
without gravity) and w = sqrt(g / d),

    stiffness   k = M g / d, d = L / 1000      the whole weight on one point sinks in by a thousandth of the size
    damping     b = 0.1 M w                    a tenth of what stops a bounce of the whole mass on one point
    bristles    k / 2 and 0.05 M w;            sliding friction is viscous below mu N / (0.5 M w)
    restitution e = 0.5, reached at a speed of 0.3 sqrt(g L);     friction mu = 0.8
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from gambol.actuation import actuators_of, commands_of, spring_tendons_of
from gambol.collide import Ground, NoGround, Plane
from gambol.collide.broad import Pair, exclusion_reasons, unexcluded_pairs
from gambol.contact import ContactMethod, ContactParameters, Medium, contact_method
from gambol.contact.surface import NO_TOUCH
from gambol.contact.table import DEFAULT_METHOD
from gambol.control import ConstantLaw, Controller, FeedbackController
from gambol.creatures.initial_configuration import close_loops, initial_configuration
from gambol.dynamics import STANDARD_GRAVITY
from gambol.figure import Figure, with_stops
from gambol.formats import Model
from gambol.lanes import Precision, Scalar
from gambol.sensing import sensors_of
from gambol.world import External, State, Timing, World, start

SINK_RATIO = 1e-3  # depth / size, with the whole weight on one point; on four points it is a quarter of this
FRICTION = 0.8  # rubber on a floor
CONTROL_STEP = 1.0 / 240.0  # s: eight control steps for each picture of a video
LARGE_STEP = CONTROL_STEP / 4.0  # s, step of the velocity-level contact methods
MAX_PAIRS = 200  # of parts: ten times as many take minutes to compile
MESH_NOT_PAIRED = "one is a mesh, and the figure does not pair their links"
TOO_MANY_PAIRS = f"more than {MAX_PAIRS} pairs take minutes to compile, so all of them are excluded"
FIXED_STEP = Timing(CONTROL_STEP, LARGE_STEP, "semi-implicit euler")  # for velocity-level contact methods
MODEL_ITERATIONS = 24  # of iterative contact methods: a single figure runs fast enough, and its feet may be light
VARIABLE_STEP = Timing(CONTROL_STEP, 1e-4, "rkf45", 1e-7)  # for acceleration-level contact methods


def default_contact_parameters(figure: Figure, size: float) -> ContactParameters:
    """Return contact parameters for a figure of a size [m]: see the docstring of this module for every number.

    A figure without mass or size, such as that of a scene with only cloth, has the parameters for 1 kg and 1 m.
    """
    M, g = figure.mass or 1.0, STANDARD_GRAVITY
    L = size or 1.0
    d = SINK_RATIO * L
    w = math.sqrt(g / d)
    return ContactParameters(
        stiffness=M * g / d,
        alpha=0.0,
        beta=1.0,
        damping=0.1 * M * w,
        deepest=0.1 * L,
        restitution=0.5,
        restitution_speed=0.3 * math.sqrt(g * L),
        friction=FRICTION,
        bristle_stiffness=0.5 * M * g / d,
        bristle_damping=0.05 * M * w,
        skid_damping=0.5 * M * w,
    )


def world_of_model(
    model: Model,
    *,
    ground: Ground | None = None,
    timing: Timing | None = None,
    contact: ContactMethod | str = DEFAULT_METHOD,
    actuators: bool = False,
    control: Mapping[str, float] | None = None,
    unlimited: float | None = None,
) -> World:
    """Return a world in which a model moves by its springs, tendons and weight, and its motors if they are on.

    ground: None for the plane z = 0 if the file has a ground, else no ground. timing: None for variable steps with a
    tolerance of 1e-7, or fixed steps of LARGE_STEP seconds, as the contact method requires. contact: contact method, or
    its name; a method given by its name has MODEL_ITERATIONS iterations. actuators: True to make actuators of all
    motors and muscles, with constant commands; control: MuJoCo's controls by the names of motors, which turns actuators
    on; the other motors have a control of 0, or the nearest number in their range. unlimited: bound of controls without
    limits, see actuators_of(). Springs and limits of tendons always act. Parts collide as collision_pairs() says. With
    a compliant method, limits without stiffness get stops, see with_stops(), and leaf links with corners are feet,
    which grip; with other methods limits are hard and restitution is 0. A prescribed base keeps its velocity. Raises
    WorldError for invalid combinations.
    """
    figure, pairs = model.figure, collision_pairs(model)
    bare_world = World(figure, external=External(base_acceleration=_zero_acceleration if figure.prescribed else None))
    controller = controller_of(model, actuators=actuators or bool(control), control=control, unlimited=unlimited)
    grounded = ground is not None or model.ground
    world = replace(
        bare_world,
        springs=model.springs,
        ground=ground or (NoGround() if pairs and not grounded else Plane()),
        surface=replace(
            bare_world.surface,
            parameters=default_contact_parameters(figure, bare_world.size) if grounded or pairs else NO_TOUCH,
            feet=feet_of(figure) if grounded else (),
        ),
        external=replace(
            bare_world.external,
            medium=Medium(model.density, model.viscosity) if model.density or model.viscosity else None,
        ),
        gravity=model.gravity,
        pairs=pairs,
        controller=controller,
        sensors=sensors_of(model, controller.actuators if controller else ()),
    )
    method = contact_method(contact, iterations=MODEL_ITERATIONS)
    if method.scheme.compliant:
        springs_with_stops = {name: with_stops(figure, name, springs) for name, springs in model.springs.items()}
        return replace(world, springs=springs_with_stops, timing=timing or VARIABLE_STEP, contact=method)
    return replace(
        world,
        surface=replace(world.surface, parameters=replace(world.surface.parameters, restitution=0.0)),
        timing=timing or (FIXED_STEP if method.scheme.fixed_step else VARIABLE_STEP),
        contact=method,
    )


def controller_of(
    model: Model, *, actuators: bool, control: Mapping[str, float] | None = None, unlimited: float | None = None
) -> Controller | None:
    """Return a controller with the actuators of a model and constant commands; None for a model without any.

    actuators: False for the springs and limits of tendons only. control, unlimited: see world_of_model().
    """
    passive = spring_tendons_of(model)
    driven = actuators_of(model, unlimited=unlimited or _largest(control)) if actuators else {}
    if not (passive or driven):
        return None
    commands = commands_of(model, control or {}) if actuators else {}
    return FeedbackController(ConstantLaw(tuple(commands[name] for name in driven)), {**driven, **passive})


def motor_delays(model: Model, world: World) -> dict[str, float]:
    """Return the delays of the motors of a model that are actuators of a world, by name [s]."""
    return {m.name: m.delay for m in model.motors if m.delay and m.name in world.actuators}


def _largest(control: Mapping[str, float] | None) -> float:
    """Return a bound for controls without limits: the largest given control, but at least 1."""
    return max((abs(u) for u in (control or {}).values()), default=0.0) + 1.0


def collision_pairs(model: Model) -> tuple[Pair, ...]:
    """Return the pairs of parts of a model that may touch: those without a reason in collision_exclusions()."""
    return unexcluded_pairs(model.figure, collision_exclusions(model))


def collision_exclusions(model: Model) -> dict[Pair, str]:
    """Return every pair of colliding parts of a model with the reason why it is excluded, or "" if it may touch.

    The reasons are those of exclusion_reasons(), and two more. A part with a mesh may touch another part only if the
    figure pairs their links: collision detection of meshes is compiled for each pair, and robots have hundreds of
    pairs. If there are more than MAX_PAIRS pairs all are excluded; World.pairs accepts any number.
    """
    figure = model.figure

    def mesh_exclusion(pair: Pair) -> str:
        return MESH_NOT_PAIRED if "hull" in [part.shape.kind for part in pair.parts(figure)] else ""

    reasons = exclusion_reasons(figure, springs=model.springs, start=model.q, extra_rule=mesh_exclusion)
    allowed = sum(not reason for reason in reasons.values())
    return {pair: reason or TOO_MANY_PAIRS for pair, reason in reasons.items()} if allowed > MAX_PAIRS else reasons


def omitted_pair_count(model: Model) -> int:
    """Return the number of pairs that are excluded because there are more than MAX_PAIRS; else 0."""
    return sum(reason == TOO_MANY_PAIRS for reason in collision_exclusions(model).values())


def feet_of(figure: Figure) -> tuple[str, ...]:
    """Return the names of the foot links: those that can move, have no children, and have a corner to stand on."""
    parents = {link.parent_index for link in figure.links}
    return tuple(
        link.name
        for link in figure.links
        if link.index not in parents
        and figure.can_move(link.index)
        and any(point.radius == 0.0 for point in link.contact_points())
    )


def initial_state(
    model: Model,
    world: World,
    worlds: int = 1,
    *,
    jitter: float = 0.0,
    seed: int = 0,
    precision: Precision = "float64",
) -> State:
    """Return the initial state of a model: the state in its file, with the changes of initial_configuration().

    model: model of a file. world: world of the model. worlds: number of worlds. jitter, seed, precision: see start();
    loops that the jitter opens are closed again, in every world separately.
    """
    state = start(world, worlds, jitter=jitter, seed=seed, precision=precision)
    unperturbed = start(world).q
    state.q[:] += np.array(initial_configuration(model, world).q) - unperturbed
    state.v[:] = model.v
    if jitter and model.figure.constraints:
        for q in state.q:
            q[:] = close_loops(model.figure, q.tolist())
    return state


def _zero_acceleration(time: Scalar, q: Any, v: Any) -> list[Scalar]:
    """Return the acceleration of a prescribed base that keeps its velocity."""
    return [0.0] * 6
