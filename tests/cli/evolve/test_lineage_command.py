"""The ancestors of a creature, as the page of its lineage shows them."""

from contextlib import contextmanager

import pytest
from sqlalchemy import Engine, event
from toy_runs import run_to_end

from gambol.cli.evolve.lineage_command import MAX_PER_GENERATION, AncestorTree, fitness_order
from gambol.evolve.archive import Archive

GENERATIONS = 12


@pytest.fixture(params=["ga", "es-plus", "islands"])
def archive(request, tmp_path):
    run_to_end(tmp_path / "evolve.db", search=request.param, generations=GENERATIONS, population=40)
    with Archive(tmp_path / "evolve.db") as open_archive:
        yield open_archive


@contextmanager
def generation_count():
    """Return the SQL statements that databases execute meanwhile."""
    message = []

    def note(*words):
        message.append(words[2])

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield message
    finally:
        event.remove(Engine, "before_cursor_execute", note)


def test_a_line_is_everybodys_fittest_parent_back_to_one_without(archive):
    (best,) = archive.best(1)
    tree = AncestorTree(archive, 1)
    tree.read_ancestors(best, lambda words: None)
    line = [best]
    while line[0].parents:
        line.insert(0, min((archive.individual(1, number) for number in line[0].parents), key=fitness_order))
    assert tree.line == line


def test_beside_the_line_are_the_fittest_ancestors_of_each_generation(archive):
    (best,) = archive.best(1)
    tree = AncestorTree(archive, 1)
    tree.read_ancestors(best, lambda words: None)
    people = {one.number: one for one in (*tree.line, *tree.others)}
    assert len(people) == len(tree.line) + len(tree.others)
    parents = {number for one in people.values() for number in one.parents}
    for generation in range(GENERATIONS):
        straight = {one.number for one in tree.line if one.generation == generation}
        shown = {one.number for one in tree.others if one.generation == generation}
        here = [one for one in archive.individuals(1, generation) if one.number in parents - straight]
        assert shown == {one.number for one in sorted(here, key=fitness_order)[:MAX_PER_GENERATION]}
    assert tree.left_out == len(parents - people.keys())


def test_ancestors_are_read_in_a_query_for_each_generation(archive):
    (best,) = archive.best(1)
    with generation_count() as message:
        AncestorTree(archive, 1).read_ancestors(best, lambda words: None)
    assert len([one for one in message if one.startswith("SELECT")]) <= best.generation
