"""The world of a figure that came from a file, and the figure set down in it.

A file says little about the ground, so its numbers follow from the figure: with mass M, size L and g = 9.81 m/s2 (also
where there is no gravity), w = sqrt(g / d),

    stiffness   k = M g / d, d = L / 1000      the whole weight on one point sinks it by a thousandth of the size
    damping     b = 0.1 M w                    a tenth of what would stop a bounce of the whole on one point
    bristles    k / 2 and 0.05 M w;            skidding is viscous below mu N / (0.5 M w)
    restitution e = 0.5 over 0.3 sqrt(g L)     friction mu = 0.8
"""

import math
import warnings
from dataclasses import replace
from typing import Any

import numpy as np

from gambol.collide import Ground, Plane
from gambol.collide.broad import Pair, RestOverlapWarning, allowed_pairs
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
    tolerance of 1e-7 lets them have, or of LARGE seconds. contact: what touching does, see World. For "penalty" limits
    without stiffness get stops, see with_stops(), and leaves with corners are feet, which grip; elsewhere limits are
    hard, nothing rebounds, and parts that may touch each other do. A prescribed base keeps its velocity. Raises
    WorldError for what cannot be.
    """
    figure = specimen.figure
    bare = World(figure, base_acceleration=_uniform if figure.prescribed else None)
    touches = ground is not None or specimen.ground
    world = replace(
        bare,
        springs=specimen.springs,
        ground=ground if ground is not None else Plane(),
        touch=touch_for(figure, bare.size) if touches else SMOOTH_TOUCH,
        feet=feet_of(figure) if touches else (),
        gravity=specimen.gravity,
        medium=Medium(specimen.density, specimen.viscosity) if specimen.density or specimen.viscosity else None,
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
        pairs=pairs_of(specimen),
    )


def pairs_of(specimen: Specimen) -> tuple[Pair, ...]:
    """The parts of a figure from a file that may touch each other: all that are allowed to, but for those with meshes.

    A search between two meshes is a program of its own for each pair, and robots have hundreds of pairs. They touch the
    ground, and each other where the file names the pair; World.pairs takes any. Of more than MOST_PAIRS none are taken.
    """
    found = _allowed(specimen)
    return found if len(found) <= MOST_PAIRS else ()


def pairs_left_out(specimen: Specimen) -> int:
    """The number of pairs of parts that pairs_of() leaves out because they are more than MOST_PAIRS; else 0."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RestOverlapWarning)  # pairs_of() gives it
        count = len(_allowed(specimen))
    return count if count > MOST_PAIRS else 0


def _allowed(specimen: Specimen) -> tuple[Pair, ...]:
    """All pairs that are allowed to touch, but for those with meshes that the file does not name."""
    figure = specimen.figure
    named = {frozenset(names) for names in figure.paired}
    meshed: set[tuple[str, str]] = set()
    for pair in allowed_pairs(figure, springs=specimen.springs, overlap=None):
        one, two = figure.links[pair.link - 1], figure.links[pair.other - 1]
        kinds = (one.parts[pair.part].shape.kind, two.parts[pair.other_part].shape.kind)
        if "hull" in kinds and frozenset((one.name, two.name)) not in named:
            meshed.add((one.name, two.name))
    return allowed_pairs(figure, exclude=sorted(meshed), springs=specimen.springs)


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
