"""Creatures of one plan: a box of genes that grows into bodies of one topology."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gambol.control.patterns import PATTERNS
from gambol.errors import EvolveError
from gambol.evolve.genotype import PLANS, Control, Genotype, check_genotype, plan_named, read_genotype, write_genotype
from gambol.evolve.genotype.breeding import FreeSpace, GenotypeSpace, space_of, topology
from gambol.evolve.genotype.genotype import body_numbers, freedom_names

FROZEN = ("azimuth", "elevation", "pitch", "roll", "density")


def near(body: str, kind: str = "spectral", **settings) -> GenotypeSpace:
    space = space_of(body, Control(kind), **settings)
    assert isinstance(space, GenotypeSpace)
    return space


@given(st.sampled_from([*PLANS]), st.sampled_from([*PATTERNS]), st.integers(0, 2**32))
@settings(max_examples=30, deadline=None)
def test_all_children_are_valid(body, kind, seed):
    space, rng = near(body, kind), np.random.default_rng(seed)
    several = [space.random(rng) for _ in range(3)]
    for _ in range(5):
        several.append(space.mutated(several[-1], 3.0, rng))
        several.append(space.crossed(several[0], several[-1], rng))
        several.append(space.blended(several))
    for genotype in several:
        check_genotype(genotype)
        assert space.same_structure(genotype, several[0])
        assert np.all((space.vector(genotype) >= 0.0) & (space.vector(genotype) <= 1.0))


@pytest.mark.parametrize("body", PLANS)
def test_a_genotype_is_its_vector(body):
    space, rng = near(body), np.random.default_rng(0)
    x = rng.random(space.size)
    np.testing.assert_allclose(space.vector(space.of_vector(x)), x, atol=1e-12)
    assert len({gene.name for gene in space.genes}) == space.size


@pytest.mark.parametrize("body", PLANS)
def test_a_plan_only_changes_where_it_may(body):
    space, rng = near(body), np.random.default_rng(1)
    assert not any(gene.name.endswith(FROZEN) for gene in space.genes)
    middle = near(body, fixed=True)
    assert all(middle.random(rng).body == plan_named(body) for _ in range(3))
    assert middle.size < space.size


def test_a_mutation_has_the_given_size():
    """Moves of cyclic genes, which have no bounds, are normal with the gene's sigma: 200 of 12 within 7 %."""
    space, rng = replace(near("quadruped"), shift_rate=0.0), np.random.default_rng(2)
    parent = space.random(rng)
    cyclic = np.array([gene.cyclic for gene in space.genes])
    sigma = np.array([gene.sigma for gene in space.genes])[cyclic]
    moves = np.array(
        [(space.vector(space.mutated(parent, 0.5, rng)) - space.vector(parent))[cyclic] for _ in range(200)]
    )
    moves -= np.round(moves)
    spread = np.sqrt((moves**2).mean()) / (0.5 * sigma.mean())
    assert spread == pytest.approx(1.0, abs=4.0 / np.sqrt(2.0 * moves.size))


def test_each_part_comes_from_one_parent_with_its_signal():
    space, rng = near("quadruped"), np.random.default_rng(3)
    a, b = space.random(rng), space.random(rng)
    parts = np.array(space.coding.parts)
    values = [np.array(space.coding.values(one)) for one in (a, b, space.crossed(a, b, rng))]
    owners = set()
    for part in dict.fromkeys(parts):
        own = [(values[2] == parent)[parts == part].all() for parent in values[:2]]
        assert any(own), part
        owners.add(tuple(own))
    assert len(owners) == 2
    for freedom in freedom_names(a.body, "spectral"):
        names = [gene.name for gene, part in zip(space.genes, parts, strict=True) if part == freedom]
        assert any("phase" in name for name in names)
        assert any("strength" in name for name in names)


def test_a_body_from_a_file_is_a_plan(tmp_path):
    rng = np.random.default_rng(4)
    found = space_of("free").random(rng)
    write_genotype(found, tmp_path / "found.toml")
    body = read_genotype(tmp_path / "found.toml").body
    space = space_of(body, Control("sinusoid"))
    child = space.random(rng)
    check_genotype(child)
    assert len(body_numbers(child.body)) == len(body_numbers(body))
    assert topology(Genotype(body, child.control)) == topology(child)


def test_the_same_seed_breeds_the_same():
    space = near("biped")
    one, other = (space.mutated(space.random(rng), 1.0, rng) for rng in map(np.random.default_rng, (5, 5)))
    assert one == other


def test_the_error_of_an_invalid_space_names_the_reason():
    with pytest.raises(EvolveError, match='did you mean "quadruped"'):
        space_of("quadrupet")
    with pytest.raises(EvolveError, match="cannot be fixed"):
        space_of("free", fixed=True)
    with pytest.raises(EvolveError, match="at least one link"):
        FreeSpace(links=0)
    with pytest.raises(EvolveError, match="give 0 to 1"):
        FreeSpace(structure_rate=2.0)
    rng = np.random.default_rng(6)
    with pytest.raises(EvolveError, match="another structure"):
        near("quadruped").vector(space_of("biped").random(rng))
