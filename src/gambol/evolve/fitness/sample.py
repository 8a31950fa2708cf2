"""A sample: the numbers of a rollout that are recorded at one time, computed in the program of the steps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gambol.dynamics import kinematics
from gambol.evolve.fitness.self_intersection import limb_overlap
from gambol.lanes import Scalar
from gambol.world import World
from gambol.world.context import Ledger
from gambol.world.observe import observe, rows_of
from gambol.world.step import StepState, ledger_entries


@dataclass(frozen=True, slots=True)
class Sample:
    """The recorded numbers of a rollout at one time; for their meaning see Trajectory.

    pushes: loads on all feet of the world, of which a creature may have only some. status: of the clock.
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


def take_sample(
    world: World, step_state: StepState, numbers: Mapping[str, Any], limb_of_link: Sequence[Scalar], table: Any = None
) -> Sample:
    """Return the sample of a world's creature in a state.

    world: with one creature. step_state: its state. numbers: of the world. limb_of_link: for each link the number of
    its limb, see limb_overlap(). table: heights of the ground, or None.
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


def sample_rows(world: World) -> dict[str, slice | int]:
    """Return the row or rows of each field of Sample among the numbers of a world's sample."""
    sizes = dict.fromkeys(("root", "centre", "forward", "up"), 3)
    return rows_of(Sample, sizes | {"pushes": len(world.feet), "ledger": len(ledger_entries(Ledger()))})
