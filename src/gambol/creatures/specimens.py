"""The world of a figure that came from a file, and the figure set down in it.

A file says little about the ground, so its numbers follow from the figure: with mass M, size L and g = 9.81 m/s2 (also
where there is no gravity), w = sqrt(g / d),

    stiffness   k = M g / d, d = L / 1000      the whole weight on one point sinks it by a thousandth of the size
    damping     b = 0.1 M w                    a tenth of what would stop a bounce of the whole on one point
    bristles    k / 2 and 0.05 M w;            skidding is viscous below mu N / (0.5 M w)
    restitution e = 0.5 over 0.3 sqrt(g L)     friction mu = 0.8
"""

import math
from dataclasses import replace
from typing import Any

import numpy as np

from gambol.collide import Ground, NoGround, Plane
from gambol.collide.broad import Pair, meeting, pair_reasons
from gambol.contact import Medium, Touch
from gambol.creatures.beginning import beginning, closed
from gambol.dynamics import STANDARD_GRAVITY
from gambol.figure import Figure, with_stops
from gambol.formats import Specimen
from gambol.lanes import Precision, Scalar
from gambol.world import State, Timing, World, start
from gambol.world.world import LARGE_STEPS, SMOOTH_TOUCH

SINK = 1e-3  # of the size: how deep the whole weight presses one point; a figure on four points sinks by a quarter
FRICTION = 0.8  # rubber on a floor
FRAME = 1.0 / 240.0  # s between the pictures of a film: eight for each of a video's
LARGE = FRAME / 4.0  # s, the step of contact methods that work on velocities
MOST_PAIRS = 200  # of parts: ten times as many would take minutes to compile
MESHED = "one is a mesh, and the figure does not pair their links"
TOO_MANY = f"more than {MOST_PAIRS} pairs take minutes to compile, so none of them does"
MANY_ROUNDS = 24  # of contact methods that go round: one figure has the time, and its feet may be light
SMOOTH = Timing(FRAME, 1e-4, "rkf45", 1e-7)  # steps of methods on accelerations


def touch_for(figure: Figure, size: float) -> Touch:
    """A ground that suits a figure of this size [m]: see the module's text for every number."""
    M, g = figure.mass, STANDARD_GRAVITY
    d = SINK * size
    w = math.sqrt(g / d)
    return Touch(
        stiffness=M * g / d,
        alpha=0.0,
        beta=1.0,
        damping=0.1 * M * w,
        deepest=0.1 * size,
        restitution=0.5,
        restitution_speed=0.3 * math.sqrt(g * size),
        friction=FRICTION,
        bristle_stiffness=0.5 * M * g / d,
        bristle_damping=0.05 * M * w,
        skid_damping=0.5 * M * w,
    )


def world_of_specimen(
    specimen: Specimen, *, ground: Ground | None = None, timing: Timing | None = None, contact: str = "penalty"
) -> World:
    """A world in which a figure from a file moves by its springs and weight alone: its motors rest.

    ground: None: the plane z = 0 where the file has a ground, else none. timing: None: steps of the size that a
    tolerance of 1e-7 lets them have, or of LARGE seconds. contact: what touching does, see World. Parts touch each
    other as pairs_of() says. For "penalty" limits without stiffness get stops, see with_stops(), and leaves with
    corners are feet, which grip; elsewhere limits are hard and nothing rebounds. A prescribed base keeps its velocity.
    Raises WorldError for what cannot be.
    """
    figure, pairs = specimen.figure, pairs_of(specimen)
    bare = World(figure, base_acceleration=_uniform if figure.prescribed else None)
    grounded = ground is not None or specimen.ground
    world = replace(
        bare,
        springs=specimen.springs,
        ground=ground or (NoGround() if pairs and not grounded else Plane()),
        touch=touch_for(figure, bare.size) if grounded or pairs else SMOOTH_TOUCH,
        feet=feet_of(figure) if grounded else (),
        gravity=specimen.gravity,
        medium=Medium(specimen.density, specimen.viscosity) if specimen.density or specimen.viscosity else None,
        pairs=pairs,
    )
    if contact == "penalty":
        stopped = {name: with_stops(figure, name, springs) for name, springs in specimen.springs.items()}
        return replace(world, springs=stopped, timing=timing or SMOOTH)
    return replace(
        world,
        touch=replace(world.touch, restitution=0.0),
        timing=timing or (Timing(FRAME, LARGE, "semi-implicit euler") if contact in LARGE_STEPS else SMOOTH),
        contact=contact,
        rounds=MANY_ROUNDS,
    )


def pairs_of(specimen: Specimen) -> tuple[Pair, ...]:
    """The parts of a figure from a file that may touch each other: those that reasons_of() has no reason against."""
    return meeting(specimen.figure, reasons_of(specimen))


def reasons_of(specimen: Specimen) -> dict[Pair, str]:
    """Every pair of colliding parts of a figure from a file, with the reason why they do not touch, or "" if they do.

    The reasons are those of pair_reasons(), and two more. Parts with meshes touch others only where the figure pairs
    their links: a search between two meshes is a program of its own for each pair, and robots have hundreds of pairs.
    Of more than MOST_PAIRS pairs none is taken; World.pairs takes any.
    """
    figure = specimen.figure

    def meshed(pair: Pair) -> str:
        return MESHED if "hull" in [part.shape.kind for part in pair.parts(figure)] else ""

    reasons = pair_reasons(figure, springs=specimen.springs, start=specimen.q, refuse=meshed)
    left = sum(not why for why in reasons.values())
    return {pair: why or TOO_MANY for pair, why in reasons.items()} if left > MOST_PAIRS else reasons


def pairs_left_out(specimen: Specimen) -> int:
    """The number of pairs of parts that pairs_of() leaves out because they are more than MOST_PAIRS; else 0."""
    return sum(why == TOO_MANY for why in reasons_of(specimen).values())


def feet_of(figure: Figure) -> tuple[str, ...]:
    """The links that stand: those without children that can move and have a corner to stand on."""
    parents = {link.parent_index for link in figure.links}
    return tuple(
        link.name
        for link in figure.links
        if link.index not in parents
        and figure.moves(link.index)
        and any(point.radius == 0.0 for point in link.contact_points())
    )


def set_out(
    specimen: Specimen,
    world: World,
    worlds: int = 1,
    *,
    jitter: float = 0.0,
    seed: int = 0,
    precision: Precision = "float64",
) -> State:
    """The figure where it begins to move: as its file has it, but for what beginning() changes.

    jitter, seed: see start(); loops that the jitter opens are closed again, in every world its own way.
    """
    state = start(world, worlds, jitter=jitter, seed=seed, precision=precision)
    rest = start(world).q
    state.q[:] += np.array(beginning(specimen, world).q) - rest
    state.v[:] = specimen.v
    if jitter and specimen.figure.constraints:
        for q in state.q:
            q[:] = closed(specimen.figure, q.tolist())
    return state


def _uniform(time: Scalar, q: Any, v: Any) -> list[Scalar]:
    """The accelerations of a prescribed base that keeps its velocity."""
    return [0.0] * 6
