"""Lives beside the bare steps of the same worlds, and lives of bodies no two of which are alike."""

from collections.abc import Iterator, Sequence
from itertools import cycle
from typing import Any
from unittest.mock import patch

import numpy as np

from benchmarks.rows import Result, Row
from benchmarks.stopwatch import race, ratio, typical
from gambol.evolve.genotype import Genotype, of_json, to_json
from gambol.evolve.genotype.breeding import topology
from gambol.evolve.life import lives
from gambol.evolve.life.asked import space_asked, task_of
from gambol.evolve.life.herd import Herd, begun
from gambol.evolve.life.living import herds_of
from gambol.evolve.life.trials import tried
from gambol.evolve.run import Settings
from gambol.world import State
from gambol.world.encounters.touchable import contacts_of

WALK = Settings()
BOTH = Settings(options={"evolve": "both"})
FREE = Settings(body="free")

SIZE = (8, 9)
"""Links on the trunks of bodies that are compared with the quadruped's eight."""

GENERATIONS = 4  # with creatures of their own, that take turns: nothing is to be remembered of them
REPEATS = 9


def whole_lives(row: Row) -> Result:
    """Lives of genotypes as a worker gets them, in one thread, beside the steps that are in them."""
    given, bare = creatures(WALK, row.worlds, seed=1), Bare(WALK, row.worlds, seed=1)
    whole, alone = roots(bare.herd, bare.genotypes), bare.roots()
    assert np.array_equal(whole, alone), f"{row.name}: creatures do not end where bare steps take them"
    times = race(lambda: lived(WALK, given), bare.run, repeats=REPEATS)
    result = _of_worlds(Result(0, "all end at the same places, to the last bit"), row, bare)
    seconds, result.spread = typical(times[0])
    result.ns_per_step = seconds / steps_lived(WALK, row.worlds) * 1e9
    result.peer, result.peer_ns_per_step = "bare steps", typical(times[1])[0] / seconds * result.ns_per_step
    result.more = {
        "over_bare": 1.0 / ratio(*times),
        "creature_seconds_per_second": steps_lived(WALK, row.worlds) * task_of(WALK).step / seconds,
    }
    return result


def any_bodies(row: Row) -> Result:
    """A generation of bodies, each of a structure of its own, beside one of quadrupeds of as many links."""
    free, one = generations(FREE, row.worlds), generations(BOTH, row.worlds)
    assert all(len({topology(of_json(g)) for g in given}) == row.worlds for given in free), "topologies are alike"
    lived(BOTH, one[0])
    first = lived(FREE, free[0])
    with patch("gambol.world.state.Program", side_effect=AssertionError("a program was made for a new body")):
        for given in free[1:]:
            lived(FREE, given)
    assert [repr(o) for o in lived(FREE, free[0])] == [repr(o) for o in first], f"{row.name}: lives differ"
    turns: tuple[Iterator[Any], ...] = (cycle(free), cycle(one))
    times = race(lambda: lived(FREE, next(turns[0])), lambda: lived(BOTH, next(turns[1])), repeats=REPEATS)
    result = _of_worlds(Result(0, "no program was made for new bodies"), row, Bare(FREE, 1, seed=0))
    (seconds, result.spread), steps = typical(times[0]), steps_lived(FREE, row.worlds)
    result.ns_per_step = seconds / steps * 1e9
    result.peer, result.peer_ns_per_step = "one topology", typical(times[1])[0] / seconds * result.ns_per_step
    result.more = {"over_one_topology": 1.0 / ratio(*times)}
    return result


class Bare:
    """Creatures about to be moved through their whole lives, in all trials, by one call."""

    def __init__(self, settings: Settings, count: int, seed: int) -> None:
        self.genotypes = [of_json(one) for one in creatures(settings, count, seed)]
        ((self.herd, _),) = herds_of(settings).of(self.genotypes)
        lodged = self.herd.home.lodged(self.herd.engine, self.genotypes)
        self.lodged = tried(lodged, self.herd.task, [0] * count)
        self.start = begun(self.herd.engine.world, self.lodged.q)

    def run(self) -> State:
        """Their state at the end."""
        state = self.start.copied()
        self.herd.engine.move(state, self.herd.task.frames[-1], self.lodged.numbers)
        return state

    def roots(self) -> Any:
        """Where their trunks end (trials W, 3) [m]."""
        seen = self.herd.engine.see(self.run(), self.lodged.numbers)
        return np.stack(seen.positions[:3], axis=-1).astype(float)


def roots(herd: Herd, genotypes: Sequence[Genotype]) -> Any:
    """Where the trunks of creatures are at the end of their tracks (trials W, 3) [m]."""
    return herd.tried(genotypes, [0] * len(genotypes)).root[-1]


def steps_lived(settings: Settings, count: int) -> float:
    """Steps in the lives of so many creatures, in all their trials."""
    task = task_of(settings)
    return count * task.trials * task.seconds / task.step


def lived(settings: Settings, given: Sequence[Any]) -> Any:
    """The outcomes of genotypes, plain data."""
    return lives(settings, given, [0] * len(given))


def creatures(settings: Settings, count: int, seed: int) -> list[Any]:
    """Random genotypes of the space that settings ask for, as plain data."""
    space, rng = space_asked(settings), np.random.default_rng(seed)
    return [to_json(space.random(rng)) for _ in range(count)]


def generations(settings: Settings, count: int) -> list[list[Any]]:
    """Generations of random genotypes; of free bodies no two in one have the same structure, and all have SIZE."""
    if settings is not FREE:
        return [creatures(settings, count, seed) for seed in range(GENERATIONS)]
    space, rng = space_asked(settings), np.random.default_rng(0)
    made: list[list[Any]] = []
    for _ in range(GENERATIONS):
        found: dict[Any, Genotype] = {}
        while len(found) < count:
            one = space.random(rng)
            if one.body.links in SIZE:
                found.setdefault(topology(one), one)
        made.append([to_json(one) for one in found.values()])
    return made


def _of_worlds(result: Result, row: Row, bare: Bare) -> Result:
    """A result with what it says of the worlds."""
    world, mover = bare.herd.engine.world, bare.herd.engine.mover
    may = contacts_of(world)
    result.dof, result.step_s, result.contacts = (
        world.figure.nv,
        bare.herd.task.step,
        f"{min(may, world.most_contacts)} of {may}",
    )
    result.compile_s = mover.seconds_to_make
    return result
