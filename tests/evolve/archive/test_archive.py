"""Records come out of an archive as they went in, to the last bit, with every kind of database."""

import math
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gambol.errors import EvolveError
from gambol.evolve.archive import Archive, IndividualRecord
from gambol.evolve.outcome import Outcome

SUMMARY = {"best": 2.0, "median": 1.0, "lower": 0.5, "upper": math.nan}
AWKWARD = (
    0.1,
    1 / 3,
    5e-324,
    1.7976931348623157e308,
    -2.2250738585072014e-308,
    1e22,
    123456789.12345679,
    0.30000000000000004,
)


def one(number: int, generation: int = 0, fitness: float = 1.0, marked: str = "", **changes) -> IndividualRecord:
    given = {
        "number": number,
        "generation": generation,
        "place": number,
        "parents": tuple(range(number))[-2:],
        "origin": "crossed",
        "strategy": (0.1, 0.7),
        "genotype": {"trunk": [0.1, 0.2], "name": "süß", "limbs": [{"mirrored": True, "at": None}]},
        "seed": 2**32 - 1,
        "outcome": Outcome(fitness, {"distance": 0.1, "energy": 1 / 3}, (0.25,), marked),
    }
    return IndividualRecord(**{**given, **changes})


def new_run(archive: Archive) -> int:
    return archive.begin({"population": 2, "options": {"step": 1 / 480}}, 7, {"gambol": "1.2"})


def test_individuals_come_back_as_they_were(where):
    individuals = [one(0), one(1, parents=(0,), strategy=(), fitness=-1.0)]
    with Archive(where) as archive:
        run = new_run(archive)
        archive.add(run, individuals, SUMMARY, 0.5)
    with Archive(where, create=False) as archive:
        assert archive.individuals(run, 0) == individuals
        assert archive.individual(run, 1) == individuals[1]
        assert list(archive.individual(run, 0).genotype) == ["trunk", "name", "limbs"]


def test_numbers_come_back_to_the_last_bit(where):
    genotype = [*AWKWARD, -0.0]
    individual = one(
        0,
        genotype=genotype,
        strategy=AWKWARD,
        outcome=Outcome(0.1 + 0.2, dict(zip("abcdefgh", AWKWARD, strict=True)), AWKWARD),
    )
    with Archive(where) as archive:
        run = new_run(archive)
        archive.add(run, [individual], SUMMARY, 0.5)
        again = archive.individual(run, 0)
    assert bits(again.genotype) == bits(genotype)
    assert bits(again.strategy) == bits(AWKWARD)
    assert bits([*again.outcome.behaviour, *again.outcome.terms.values(), again.outcome.fitness]) == bits(
        [*AWKWARD, *AWKWARD, 0.1 + 0.2]
    )


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=20))
def test_any_genotype_of_finite_numbers_comes_back(memory_archive, values):
    archive, run, count = memory_archive
    number = next(count)
    archive.add(run, [one(number, number, genotype=values)], SUMMARY, 0.0)
    assert bits(archive.individual(run, number).genotype) == bits(values)


@pytest.fixture(scope="module")
def memory_archive(tmp_path_factory):
    from itertools import count

    with Archive(tmp_path_factory.mktemp("archive") / "evolve.db") as archive:
        yield archive, new_run(archive), count()


def bits(values):
    return [struct.pack("d", value) for value in values]


def test_what_is_not_finite_comes_back_as_nan(where):
    outcome = Outcome(math.nan, {"loss": math.inf, "gain": math.nan}, (-math.inf,), "froze")
    with Archive(where) as archive:
        run = new_run(archive)
        archive.add(run, [one(0, outcome=outcome)], SUMMARY, 0.5)
        again = archive.individuals(run, 0)[0].outcome
    assert math.isnan(again.fitness)
    assert [*map(math.isnan, again.terms.values())] == [True, True]
    assert math.isnan(again.behaviour[0])
    assert again.marked == "froze"


def test_records_of_runs_have_settings_and_progress(where):
    with Archive(where) as archive:
        first, second = new_run(archive), new_run(archive)
        archive.add(second, [one(0), one(1)], SUMMARY, 0.5)
        archive.add(second, [one(2, 1), one(3, 1)], SUMMARY, 0.5)
        assert [(run.id, run.generations) for run in archive.runs()] == [(first, 0), (second, 2)]
        assert archive.run(first).settings == {"population": 2, "options": {"step": 1 / 480}}
        assert archive.run(first).versions == {"gambol": "1.2"}
        archive.update_settings(first, {"population": 3})
        assert archive.run(first).settings == {"population": 3}
        assert archive.run(second).settings["population"] == 2


def test_records_of_generations_have_their_fitness(where):
    with Archive(where) as archive:
        run = new_run(archive)
        archive.add(run, [one(0), one(1)], SUMMARY, 0.5)
        archive.add(run, [one(2, 1)], SUMMARY, 0.25)
        first, second = archive.generations(run)
    assert (first.generation, first.first, first.size, first.best, first.seconds) == (0, 0, 2, 2.0, 0.5)
    assert (second.generation, second.first, second.size) == (1, 2, 1)
    assert (first.median, first.lower) == (1.0, 0.5)
    assert math.isnan(first.upper)


def test_the_first_of_equally_fit_individuals_is_the_best_in_any_order_of_storage(where):
    with Archive(where) as archive:
        run = new_run(archive)
        for generation in (1, 0):
            archive.add(run, [one(generation, generation, 2.0)], SUMMARY, 0.1)
        assert [each.number for each in archive.best(run)] == [0]


def test_the_best_are_ranked_and_none_of_them_is_marked(where):
    fitness = [[1.0, 5.0, 2.0], [4.0, 9.0, 4.0], [3.0, math.nan, 0.0]]
    marked = {4: "gained energy"}
    with Archive(where) as archive:
        run = new_run(archive)
        for generation, row in enumerate(fitness):
            individuals = [
                one(number, generation, value, marked.get(number, ""))
                for number, value in enumerate(row, start=3 * generation)
            ]
            sound = [each.outcome.fitness for each in individuals if each.outcome.valid]
            archive.add(run, individuals, {**SUMMARY, "best": max(sound)}, 0.1)
        assert [each.number for each in archive.best(run, 4)] == [1, 3, 5, 6]
        assert [each.number for each in archive.best(run)] == [1]
        assert len(archive.best(run, 100)) == 7
        assert archive.best(new_run(archive)) == []


def test_a_generation_is_stored_once(where):
    with Archive(where) as archive, Archive(where) as other:
        run = new_run(archive)
        archive.add(run, [one(0)], SUMMARY, 0.5)
        with pytest.raises(EvolveError, match="generation 0 of run 1: another process has stored this"):
            other.add(run, [one(0, fitness=9.0), one(1)], SUMMARY, 0.5)
        assert archive.individuals(run, 0) == [one(0)]


def test_a_generation_is_stored_whole_or_not_at_all(where):
    with Archive(where) as archive:
        run = new_run(archive)
        archive.add(run, [one(0)], SUMMARY, 0.5)
        with pytest.raises(EvolveError, match="another process has stored this"):
            archive.add(run, [one(2, 1), one(0, 1)], SUMMARY, 0.5)
        assert archive.run(run).generations == 1
        with pytest.raises(EvolveError, match="no individual 2; it has 0 to 0"):
            archive.individual(run, 2)


def test_the_error_of_a_missing_entry_lists_the_entries(where):
    with Archive(where) as archive:
        with pytest.raises(EvolveError, match="there is no run 3; there are: none"):
            archive.run(3)
        run = new_run(archive)
        with pytest.raises(EvolveError, match=f"there is no run 3; there are: {run}"):
            archive.individual(3, 0)
        with pytest.raises(EvolveError, match="no individual 0; it has none yet"):
            archive.individual(run, 0)
        with pytest.raises(EvolveError, match="no generation 4; it has 0"):
            archive.individuals(run, 4)


@pytest.mark.parametrize(
    ("genotype", "message"),
    [
        ({"limbs": [1.0, math.nan]}, r"individual 0 holds a number that is not finite: limbs\.1 = nan"),
        ([math.inf], r"not finite: 0 = inf"),
        ([object()], "is not plain data"),
    ],
)
def test_a_genotype_that_would_not_come_back_is_refused(tmp_path, genotype, message):
    with Archive(tmp_path / "evolve.db") as archive:
        run = new_run(archive)
        with pytest.raises(EvolveError, match=message):
            archive.add(run, [one(0, genotype=genotype)], SUMMARY, 0.5)
        assert archive.run(run).generations == 0
