"""A sample: what of a life goes into its track, at one moment. The formula is worked out beside the steps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gambol.dynamics import kinematics
from gambol.evolve.fitness.tangle import tangled
from gambol.lanes import Scalar
from gambol.world import World
from gambol.world.laws import Ledger
from gambol.world.observe import observe, rows_of
from gambol.world.step import Living, entries


@dataclass(frozen=True, slots=True)
class Sample:
    """A life at one moment; what each number is, Track tells.

    pushes: on all feet of the world, whoever's they are; status: the clock's.
    """

    root: list[Scalar]
    centre: list[Scalar]
    forward: list[Scalar]
    up: list[Scalar]
    pushes: list[Scalar]
    ledger: list[Scalar]
    elsewhere: Scalar
    tangled: Scalar
    energy: Scalar
    status: Scalar


def sampled(
    world: World, living: Living, numbers: Mapping[str, Any], chains: Sequence[Scalar], table: Any = None
) -> Sample:
    """The sample of a world's creature in a state. chains: for each link the number of its limb, see tangled()."""
    seen = observe(world, living, numbers, table)
    figure = world.with_measures(numbers["measures"]).figure
    state = kinematics(figure, living.q, living.v)
    axes = state.poses[figure.root.index].rotation.transpose.rows
    return Sample(
        seen.positions[:3],
        seen.centre,
        list(axes[0]),
        list(axes[2]),
        seen.pushes,
        entries(living.ledger),
        seen.elsewhere,
        tangled(state, chains),
        seen.kinetic + seen.potential + seen.stored,
        living.clock.status,
    )


def rows_sampled(world: World) -> dict[str, slice | int]:
    """The rows of each field of a sample of a world."""
    ways = dict.fromkeys(("root", "centre", "forward", "up"), 3)
    return rows_of(Sample, ways | {"pushes": len(world.feet), "ledger": len(entries(Ledger()))})
