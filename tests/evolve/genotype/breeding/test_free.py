"""Free bodies: any chain of operators gives a viable creature, with control that follows its body."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gambol.control.patterns import PATTERNS
from gambol.errors import EvolveError
from gambol.evolve.genotype import Control, Genotype, check_genotype, control_genes, grow
from gambol.evolve.genotype.breeding import OPERATORS, FreeSpace, topology
from gambol.evolve.genotype.breeding.decomposition import compose, decompose
from gambol.evolve.genotype.genotype import freedom_names

LINKS = 9
seeds = st.integers(0, 2**32)
kinds = st.sampled_from([*PATTERNS])


def signals(genotype: Genotype) -> dict[str, dict[str, float]]:
    """The values of the signal of each freedom, by its name."""
    names = freedom_names(genotype.body, genotype.control.kind)
    found: dict[str, dict[str, float]] = {name: {} for name in names}
    for gene, value in zip(control_genes(genotype.body, genotype.control), genotype.control.values, strict=True):
        first, _, rest = gene.name.partition(" ")
        if first == "actuator":
            number, _, rest = rest.partition(" ")
            found[names[int(number)]][rest] = value
    return found


@given(kinds, seeds)
@settings(max_examples=15, deadline=None)
def test_long_chains_of_breeding_stay_legal(kind, seed):
    space, rng = FreeSpace(Control(kind), LINKS, structure_rate=0.7), np.random.default_rng(seed)
    several = [space.random(rng) for _ in range(4)]
    for _ in range(25):
        k, m = rng.integers(4, size=2)
        several[k] = space.mutated(space.crossed(several[k], several[m], rng), 2.0, rng)
        assert 1 <= several[k].body.links <= LINKS
        check_genotype(several[k])
    for genotype in several:
        assert grow(genotype).figure.nv == 6 + genotype.body.links


@given(kinds, seeds)
@settings(max_examples=30, deadline=None)
def test_decomposed_genotypes_compose_again(kind, seed):
    rng = np.random.default_rng(seed)
    genotype = FreeSpace(Control(kind), LINKS).random(rng)
    assert compose(decompose(genotype), rng) == genotype


@pytest.mark.parametrize("name", OPERATORS)
def test_each_operator_changes_what_it_should_or_nothing(name):
    rng, space = np.random.default_rng(0), FreeSpace(links=LINKS)
    steps = {
        "add limb": (1, 1),
        "remove limb": (-1, -1),
        "copy limb": (1, 1),
        "add segment": (0, 1),
        "remove segment": (0, -1),
        "toggle twin": (0, 0),
        "change freedom": (0, 0),
        "add freedom": (0, 0),
        "remove freedom": (0, 0),
    }
    done = 0
    for _ in range(60):
        genotype = space.random(rng)
        changed = OPERATORS[name](decompose(genotype), LINKS, rng)
        if changed is None:
            continue
        done += 1
        after = compose(changed, rng)
        check_genotype(after)
        assert after.body.links <= LINKS
        limbs, segments = steps[name]
        assert len(after.body.limbs) - len(genotype.body.limbs) == limbs
        if limbs == 0:
            count = [sum(len(limb.segments) for limb in one.body.limbs) for one in (genotype, after)]
            assert count[1] - count[0] == segments
        twins = [sum(limb.mirrored for limb in one.body.limbs) for one in (genotype, after)]
        assert (abs(twins[1] - twins[0]) == 1) == (name == "toggle twin") or limbs
        if name in ("add freedom", "remove freedom"):
            count = [sum(len(limb.freedoms) for limb in one.body.limbs) for one in (genotype, after)]
            assert count[1] - count[0] == (1 if name == "add freedom" else -1)
    assert done > 5


def test_a_copied_limb_has_the_same_signals():
    rng, space = np.random.default_rng(1), FreeSpace(links=30)
    genotype = space.random(rng)
    changed = OPERATORS["copy limb"](decompose(genotype), 30, rng)
    assert changed is not None
    copied = compose(changed, rng)
    first, last = copied.body.limbs[0], copied.body.limbs[-1]
    assert any(replace(limb, at=last.at) == last for limb in genotype.body.limbs), first
    own, number = signals(copied), len(copied.body.limbs)
    theirs = [signal for name, signal in own.items() if name.startswith(f"limb{number} ")]
    assert any(
        [signal for name, signal in own.items() if name.startswith(f"limb{n} ")] == theirs for n in range(1, number)
    )


def test_other_limbs_have_the_same_signals_when_one_is_removed():
    rng, space = np.random.default_rng(2), FreeSpace(links=30)
    while len((genotype := space.random(rng)).body.limbs) < 3:
        pass
    changed = OPERATORS["remove limb"](decompose(genotype), 30, rng)
    assert changed is not None
    fewer = compose(changed, rng)
    before = [tuple(signal.values()) for signal in signals(genotype).values()]
    assert all(tuple(signal.values()) in before for signal in signals(fewer).values())
    assert fewer.control.values[0] == genotype.control.values[0]  # the common frequency


def test_children_have_limbs_of_their_parents():
    rng, space = np.random.default_rng(3), FreeSpace(links=LINKS)
    mixed = 0
    for _ in range(30):
        a, b = space.random(rng), space.random(rng)
        child = space.crossed(a, b, rng)
        assert all(limb in a.body.limbs + b.body.limbs for limb in child.body.limbs)
        assert child.body.trunk in (a.body.trunk, b.body.trunk)
        mixed += any(limb in a.body.limbs for limb in child.body.limbs) and any(
            limb in b.body.limbs for limb in child.body.limbs
        )
    assert mixed > 5


def test_structures_are_many():
    rng, space = np.random.default_rng(4), FreeSpace(links=LINKS)
    assert len({topology(space.random(rng)) for _ in range(100)}) > 40


def test_genotypes_of_one_structure_have_a_mean_and_others_have_none():
    rng, space = np.random.default_rng(5), FreeSpace(links=LINKS, structure_rate=0.0)
    one = space.random(rng)
    other = space.mutated(one, 1.0, rng)
    middle = space.blended([one, other])
    check_genotype(middle)
    lengths = [genotype.body.trunk.length for genotype in (one, middle, other)]
    assert lengths[1] == pytest.approx((lengths[0] + lengths[2]) / 2.0)
    stranger = next(g for g in (space.random(rng) for _ in range(50)) if not space.same_structure(g, one))
    with pytest.raises(EvolveError, match="no mean"):
        space.blended([one, stranger])
    with pytest.raises(EvolveError, match="no common vector"):
        space.vector(one)
    with pytest.raises(EvolveError, match="no common vector"):
        space.of_vector([0.5])


def test_the_same_seed_breeds_the_same_bodies():
    space = FreeSpace(links=LINKS)
    one, other = (space.mutated(space.random(rng), 1.0, rng) for rng in map(np.random.default_rng, (6, 6)))
    assert one == other
