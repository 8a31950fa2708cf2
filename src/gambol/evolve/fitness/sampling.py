"""Samples of rollouts: the numbers that are recorded at each sample time.

A task records more than the basic numbers only if its terms need it; the names of these signals are in SIGNALS.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from gambol.contact.generation.contact_set import ground_forces
from gambol.dynamics import kinematics
from gambol.evolve.fitness.self_intersection import limb_overlap
from gambol.lanes import Scalar
from gambol.spatial.rotation import quaternion_of
from gambol.spatial.vector import ZERO
from gambol.world import World
from gambol.world.contact_points import point_forces
from gambol.world.context import Ledger, StepContext
from gambol.world.observe import observe, rows_of
from gambol.world.step import StepState, ledger_entries

FEET, FORCES, POSES = "feet", "forces", "poses"

SIGNALS = {FEET: 3, FORCES: 3, POSES: 7}
"""The signals of the feet that a task may need, with the count of numbers of each foot: its lowest point, the force of
the ground on it, and the position and quaternion of its link. Ends of heads and tails count as feet here."""


@dataclass(frozen=True, slots=True)
class Sample:
    """The recorded numbers of a rollout at one time; for their meaning see Trajectory.

    pushes: normal forces on all feet that creatures of the world may have [N]. status: RUNNING, or the reason why the
    world stopped. feet: lowest point of each of these feet [m]; forces: force of the ground on each of them [N]; poses:
    position [m] and quaternion (w, x, y, z) of the link of each. These three are empty if a task does not need them.
    """

    root: list[Scalar]
    centre: list[Scalar]
    forward: list[Scalar]
    up: list[Scalar]
    pushes: list[Scalar]
    ledger: list[Scalar]
    elsewhere: Scalar
    limb_overlap: Scalar
    energy: Scalar
    status: Scalar
    feet: list[Scalar] = field(default_factory=list[Scalar])
    forces: list[Scalar] = field(default_factory=list[Scalar])
    poses: list[Scalar] = field(default_factory=list[Scalar])


def take_sample(
    world: World, step_state: StepState, numbers: Mapping[str, Any], limb_of_link: Sequence[Scalar], table: Any = None
) -> Sample:
    """Return the sample of a world's creature in a state.

    world: a world with one creature. step_state: state of the world. numbers: numbers of the world. limb_of_link: for
    each link the number of its limb, see limb_overlap(). table: heights of the ground, or None.
    """
    observed = observe(world, step_state, numbers, table)
    figure = world.with_parameters(numbers["parameters"]).figure
    state = kinematics(figure, step_state.q, step_state.v)
    axes = state.poses[figure.root.index].rotation.transpose.rows
    return Sample(
        observed.positions[:3],
        observed.centre,
        list(axes[0]),
        list(axes[2]),
        observed.normal_forces,
        ledger_entries(step_state.ledger),
        observed.elsewhere,
        limb_overlap(state, limb_of_link),
        observed.kinetic + observed.potential + observed.stored,
        step_state.clock.status,
    )


def sampler(signals: Sequence[str]) -> tuple[str, Callable[..., Sample]]:
    """Return the name and the function of a program that samples. signals: names in SIGNALS, in their order.

    The function has the arguments of take_sample().
    """
    if not signals:
        return "sample", take_sample

    def take(
        world: World,
        step_state: StepState,
        numbers: Mapping[str, Any],
        limb_of_link: Sequence[Scalar],
        table: Any = None,
    ) -> Sample:
        sample = take_sample(world, step_state, numbers, limb_of_link, table)
        return replace(sample, **{name: SAMPLERS[name](world, step_state, numbers, table) for name in signals})

    return f"sample with {', '.join(signals)}", take


def _feet(world: World, step_state: StepState, numbers: Mapping[str, Any], table: Any) -> list[Scalar]:
    return observe(world, step_state, numbers, table).feet


def _forces(world: World, step_state: StepState, numbers: Mapping[str, Any], table: Any) -> list[Scalar]:
    """Return the force of the ground on each foot, mean over the last step, in world axes [N]."""
    context = StepContext.of(world, numbers, table)
    figure, memory = context.world.figure, step_state.memory
    points = point_forces(context, kinematics(figure, step_state.q, step_state.v), memory)
    assert memory.contact_cache is not None  # rollouts solve for impulses
    feet = [figure.link(name).index for name in world.surface.feet]
    on_links = ground_forces(context.scene, points, memory.contact_cache, feet)
    return [x for foot in feet for x in on_links.get(foot, ZERO)]


def _poses(world: World, step_state: StepState, numbers: Mapping[str, Any], _: Any) -> list[Scalar]:
    """Return the position [m] and the quaternion (w, x, y, z) of the link of each foot."""
    figure = world.with_parameters(numbers["parameters"]).figure
    state = kinematics(figure, step_state.q, step_state.v)
    poses = [state.poses[figure.link(name).index] for name in world.surface.feet]
    return [x for pose in poses for x in (*pose.position, *quaternion_of(pose.rotation))]


SAMPLERS = {FEET: _feet, FORCES: _forces, POSES: _poses}
"""The functions of the signals in SIGNALS."""


def sample_rows(world: World, signals: Sequence[str] = ()) -> dict[str, slice | int]:
    """Return the row or rows of each field of Sample among the numbers of a world's sample.

    signals: names in SIGNALS that are sampled.
    """
    sizes = dict.fromkeys(("root", "centre", "forward", "up"), 3)
    count = len(world.surface.feet)
    sizes |= {"pushes": count, "ledger": len(ledger_entries(Ledger()))}
    return rows_of(Sample, sizes | {name: n * count if name in signals else 0 for name, n in SIGNALS.items()})
