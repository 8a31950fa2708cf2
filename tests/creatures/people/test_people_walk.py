"""People walk and run on their own feet: ten seconds and more, with closed books, at the speeds of their sources."""

import numpy as np
import pytest

from gambol.contact import Stepping
from gambol.creatures.measures import CreatureMeasures, measure_creature
from gambol.creatures.people.gaits import GAITS
from gambol.creatures.people.worlds import Surroundings
from gambol.creatures.table import CREATURES
from gambol.errors import WorldError
from gambol.world import Engine, Push, run, start

SECONDS = 12.0


def walk(name: str, seconds: float = SECONDS, **options: object) -> CreatureMeasures:
    entry = CREATURES[name]
    world = entry.world(**options)
    return measure_creature(run(world, start(world), seconds, rate=200.0), world, entry)[0]


def check(measures: CreatureMeasures, energy: float) -> None:
    """Assert that a person did not fall, that nothing moved it from outside, and that its energy is accounted for."""
    assert not measures.fell
    assert measures.outside_work_j == 0.0
    assert measures.unaccounted_energy_fraction < energy


@pytest.mark.parametrize("name", ["simbicon", "simbicon-3d"])
def test_people_walk_like_people(name: str):
    """At 1 to 1.1 m/s people take strides of 1.1 to 1.3 s; SIMBICON's timed phases of 0.3 s make them faster."""
    measures = walk(name)
    check(measures, energy=0.01)
    assert measures.speed_m_per_s == pytest.approx(1.05, abs=0.1)
    assert measures.stride_s > 2.0 * 0.3  # two timed phases
    assert measures.flight < 0.01
    assert measures.phase["left"] == pytest.approx(0.5, abs=0.03)  # both sides alike
    for duty in measures.duty_factor.values():
        assert 0.5 <= duty < 0.65  # a walk: of people 0.6 at usual speeds


def test_a_person_in_space_walks_with_few_sweeps_over_the_contacts_of_its_feet():
    """One sweep often stalls: such steps are solved all the same, without a warning, and the ledger balances to 1 %."""
    world = CREATURES["simbicon-3d"].world(contact=Stepping(iterations=1))
    signals = run(world, start(world, 4, jitter=0.01), 2.0, rate=200.0).signals
    assert np.all(signals["centre"][-1, :, 2] > 0.9)
    assert min(signals["impact"][-1].min(), signals["sliding"][-1].min()) > 0.0
    assert np.abs(signals["unaccounted"][-1]).max() < 0.01 * signals["motors"][-1].min()


def test_the_walk_is_that_of_the_table_at_the_speed_of_the_other_copies():
    """chengx-coding/simbicon2d-unity asks for 1 m/s of this row."""
    assert walk("simbicon").speed_m_per_s == pytest.approx(1.0, rel=0.1)


def test_the_runner_runs_like_a_person():
    """At 3 m/s people stand for 0.35 to 0.4 of a stride of 0.7 s; this one steps faster."""
    measures = walk("runner")
    check(measures, energy=0.01)
    assert measures.speed_m_per_s == pytest.approx(3.0, rel=0.1)  # it desires 3 m/s
    assert 0.1 < measures.flight < 0.4
    assert measures.phase["left"] == pytest.approx(0.5, abs=0.03)
    for duty in measures.duty_factor.values():
        assert 0.3 < duty < 0.5  # below a half: a run


def test_springs_and_adaptive_steps_give_the_walk_of_large_steps():
    """Two contact laws and two kinds of integration: the ground of springs gives a little."""
    springs, steps = walk("simbicon", contact="penalty"), walk("simbicon")
    check(springs, energy=0.01)
    assert springs.speed_m_per_s == pytest.approx(steps.speed_m_per_s, rel=0.06)
    assert springs.stride_s == pytest.approx(steps.stride_s, rel=0.04)


@pytest.mark.parametrize("gait", [gait for gait in GAITS if gait != "walk"])
def test_the_other_rows_of_the_table_do_not_fall(gait: str):
    measures = walk("simbicon", gait=gait)
    check(measures, energy=0.01)
    assert (measures.flight > 0.3) == (gait in ("run", "fast-run"))


def test_a_walker_climbs_and_descends_a_slope():
    for slope in (-0.05, 0.05):
        assert not walk("simbicon", slope=slope).fell


def test_pushed_people_walk_on():
    """16 worlds at once; in each another push of 0.1 s, to the front or to the back, of up to 200 N."""
    world = CREATURES["simbicon"].world()
    engine, state = Engine(world), start(world, 16)
    force = np.random.default_rng(1).uniform(-200.0, 200.0, 16)
    numbers = engine.numbers(push=[force, 0.0 * force, 0.0 * force, 4.0, 4.1])
    engine.advance(state, round(12.0 / world.timing.control_step), numbers)
    upright = (state.q[:, 2] > -0.2) & (abs(state.q[:, 0]) < 0.5)
    assert upright.sum() == 16
    assert (state.step_state.ledger.outside != 0.0).all()  # the pushes did work


def test_impossible_scenes_are_refused():
    with pytest.raises(WorldError, match=r"a slope of 1 rad \(57.3 degrees\) is impossible; give at most 0.785"):
        Surroundings(slope=1.0)
    world = CREATURES["simbicon"].world()
    with pytest.raises(WorldError, match="a ground or a slope, not both"):
        CREATURES["simbicon"].world(slope=0.1, ground=world.ground)
    with pytest.raises(WorldError, match='"simbicon" has no gait "rum"; did you mean "run"'):
        CREATURES["simbicon"].world(gait="rum")


def test_a_push_is_given_to_the_world():
    push = Push((100.0, 0.0, 0.0), 1.0, 1.1)
    assert CREATURES["simbicon-3d"].world(push=push).external.push == push
