"""Divide and conquer: the number of dependent rounds, counted in the plan and in the arithmetic itself."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from math import ceil, log2
from typing import Any

import numpy as np
import pytest
from figures import random_sample, state_of

from gambol.dynamics import Kinematics, aba
from gambol.dynamics.canonical_frames import canonical_figure
from gambol.dynamics.forward import assembly_depth, divide_and_conquer
from gambol.figure import Figure, Joint, Link, random_figure
from gambol.lanes import functions, tree_map
from gambol.lanes.ops import CompositeScalar


class Deep(CompositeScalar):
    """A number that counts the longest chain of dependent operations that led to it."""

    def __init__(self, value: float, depth: int = 0) -> None:
        self.value, self.depth = value, depth

    @staticmethod
    def made(value: float, *sources: Any) -> "Deep":
        return Deep(value, 1 + max(x.depth for x in sources if isinstance(x, Deep)))

    def apply(self, name: str, *args: Any) -> "Deep":
        return Deep.made(getattr(functions, name)(*map(plain, args)), *args)

    def terms(self) -> dict[Any, Any]:
        raise NotImplementedError

    @classmethod
    def of_terms(cls, terms: Mapping[Any, Any]) -> Any:
        raise NotImplementedError

    def __add__(self, other: Any) -> Any:
        return Deep.made(self.value + plain(other), self, other)

    def __sub__(self, other: Any) -> Any:
        return Deep.made(self.value - plain(other), self, other)

    def __rsub__(self, other: Any) -> Any:
        return Deep.made(plain(other) - self.value, self, other)

    def __mul__(self, other: Any) -> Any:
        return Deep.made(self.value * plain(other), self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return Deep.made(plain(other) / self.value, self, other)

    def __neg__(self) -> Any:
        return Deep.made(-self.value, self)

    def __abs__(self) -> Any:
        return Deep.made(abs(self.value), self)

    def __gt__(self, other: Any) -> bool:
        return self.value > plain(other)

    __radd__, __rmul__ = __add__, __mul__


def plain(x: Any) -> Any:
    return x.value if isinstance(x, Deep) else x


def chain(links: int) -> Figure:
    return canonical_figure(random_figure(3, links, kinds=("revolute",), branching=0.0)).figure


def known(state: Kinematics) -> Kinematics:
    """Return the state with everything that depends on coordinates and velocities at depth 0."""
    joints = tuple(replace(joint, X_PJ=tree_map(Deep, joint.X_PJ)) for joint in state.joints)
    return replace(
        state,
        joints=joints,
        centripetals=tree_map(Deep, state.centripetals),
        velocity_products=tree_map(Deep, state.velocity_products),
    )


def operations_deep(method: Any, links: int) -> int:
    figure = chain(links)
    found = method(known(state_of(figure, random_sample(figure, 1))), [Deep(0.1)] * figure.nv)
    return max(x.depth for x in (found[0] if isinstance(found, tuple) else found))


@pytest.mark.parametrize("links", [1, 2, 3, 4, 7, 8, 16, 64, 256])
def test_chains_are_joined_in_as_many_rounds_as_halving_takes(links: int):
    assert assembly_depth(hung(list(range(-1, links - 1)))) == 1 + ceil(log2(links))


BAR = random_figure(0, 1).links[0].mass_properties


def hung(parents: list[int]) -> Figure:
    """Return links of one kind, each on the parent of this number; the first has none."""
    names = [None if on < 0 else f"link{on}" for on in parents]
    return Figure("hung", tuple(Link(f"link{n}", on, Joint("revolute"), (), BAR) for n, on in enumerate(names)))


@pytest.mark.parametrize("branching", [0.1, 0.5, 1.0])
@pytest.mark.parametrize("links", [10, 30, 120])
def test_trees_take_few_rounds_however_they_branch(links: int, branching: float):
    random = np.random.default_rng(links)
    on = [int(random.integers(n)) if random.random() < branching else n - 1 for n in range(1, links)]
    assert assembly_depth(hung([-1, *on])) <= 3 * log2(links) + 2


def test_a_star_is_added_up_in_pairs():
    assert assembly_depth(hung([-1] + [0] * 64)) <= log2(64) + 4


def test_dependent_operations_grow_by_the_same_number_with_every_doubling():
    depths = [operations_deep(divide_and_conquer, links) for links in (4, 8, 16, 32)]
    steps = [b - a for a, b in pairwise(depths)]
    assert max(steps) <= 1.2 * min(steps)
    one_after_the_other = [operations_deep(aba, links) for links in (8, 16, 32)]
    assert one_after_the_other[2] - one_after_the_other[1] > 1.8 * (one_after_the_other[1] - one_after_the_other[0])
