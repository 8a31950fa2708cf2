"""Parameters: numbers of a figure by name, read, compared, replaced by traced values, and computed for many at once."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from quadrupeds import LOWER, NOMINAL, quadruped, quadruped_links, random_proportions, with_random_parameters

from gambol.dynamics import kinematics, kinetic_energy, mass_matrix, rnea
from gambol.dynamics.forward import aba
from gambol.errors import FigureError
from gambol.figure import Figure, Joint, Link, MassProperties, random_figure, random_state
from gambol.figure.parameters import check_same_topology, extent, parameters, varying, with_parameters, with_values
from gambol.lanes import Program, ProgramSpec, leaves
from gambol.world import World

SEEDS = st.integers(0, 10**6)


@settings(max_examples=30)
@given(SEEDS)
def test_what_is_taken_out_is_put_back(seed: int):
    figure = random_figure(seed, rotors=0.5)
    same = with_values(figure, parameters(figure))
    assert same.links == figure.links
    assert same == figure
    assert figure.has_given_values
    assert not same.has_given_values


@settings(max_examples=30)
@given(SEEDS)
def test_a_figure_with_the_parameters_of_another_is_that_figure(seed: int):
    one = random_figure(seed, rotors=0.5)
    other = with_random_parameters(one, seed)
    varied = varying([one, other])
    assert with_values(one, {name: parameters(other)[name] for name in varied}).links == other.links


def test_link_of_a_name_is_that_of_the_figure_with_other_values():
    """Also if the figure it was made from was asked for that link before."""
    figure = random_figure(seed=1)
    link = figure.link(figure.links[-1].name)
    longer = with_values(figure, {f"{link.name}.position.x": 7.0})
    assert longer.link(link.name) is longer.links[-1]
    assert longer.link(link.name).joint.position[0] == 7.0


def programmed(figure: Figure, varied: tuple[str, ...], function: Callable[[Figure, Any, Any, Any], Any]) -> Program:
    """A program of q, v and a force at each joint, in figures with given parameter values."""

    def traced(q: Any, v: Any, tau: Any, numbers: Any) -> tuple[Any]:
        return (function(with_values(figure, numbers), q, v, tau),)

    form = {name: parameters(figure)[name] for name in varied}
    return Program(ProgramSpec("parametrised", traced, ([0.0] * figure.nq, [0.0] * figure.nv, [0.0] * figure.nv, form)))


def by_aba(figure: Figure, q: Any, v: Any, tau: Any) -> Any:
    return aba(kinematics(figure, q, v), tau)[0]


def by_energy(figure: Figure, q: Any, v: Any, tau: Any) -> Any:
    state = kinematics(figure, q, v)
    return [kinetic_energy(state), leaves(mass_matrix(state)), rnea(state, tau)[0]]


@pytest.mark.parametrize("function", [by_aba, by_energy])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_traced_parameters_give_the_dynamics_of_each_figure(seed: int, function: Callable[..., Any]):
    """Every kind of joint, general homes and axes, rotors; a program of one figure against floats of each other.

    The mass matrix loses digits by its condition number, and sums of some hundred terms by their number.
    """
    one = random_figure(seed, links=5, rotors=0.5)
    figures = [one, *(with_random_parameters(one, k) for k in range(3))]
    varied = varying(figures)
    q, v = random_state(one, seed)
    tau = np.random.default_rng(seed).normal(size=one.nv)
    rows = np.array([[parameters(figure)[name] for name in varied] for figure in figures]).T
    columns = [np.repeat(x[:, None], len(figures), axis=1) for x in (q, v, tau)]
    (found,) = programmed(one, varied, function)(*columns, rows)
    for k, figure in enumerate(figures):
        expected = np.array(leaves(function(figure, q.tolist(), v.tolist(), tau.tolist())))
        condition = np.linalg.cond(np.array(mass_matrix(kinematics(figure, q.tolist(), v.tolist()))))
        largest = np.abs(expected).max()
        np.testing.assert_allclose(found[:, k], expected, rtol=0, atol=100 * 2.2e-16 * condition * largest)


def test_only_what_differs_varies():
    one = quadruped(NOMINAL)
    assert varying([one, one]) == ()
    longer = varying([one, quadruped((1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.1))])
    thigh = [name for name in longer if name.startswith("left fore")]
    assert [name.removeprefix("left fore ") for name in thigh] == [
        "thigh.mass",
        "thigh.com.z",
        *(f"thigh.inertia.{k}" for k in ("xx", "yy", "zz")),
        "thigh.part 0.length",
        "thigh.part 0.position.z",
        "shank.position.z",
    ]
    assert len(longer) == 4 * len(thigh)


def limb(name: str, parent: str | None, kind: str) -> Link:
    inertia = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    return Link(name, parent, Joint(kind), (), MassProperties(1.0, inertia=inertia))


ARM = (limb("base", None, "free"), limb("arm", "base", "revolute"), limb("hand", "arm", "revolute"))


@pytest.mark.parametrize(
    ("links", "why"),
    [
        (ARM[:2], r"links: \('base', 'arm'\), not \('base', 'arm', 'hand'\)"),
        ((*ARM[:2], limb("hand", "base", "revolute")), 'the parent of "hand": base, not arm'),
        ((*ARM[:2], limb("hand", "arm", "prismatic")), 'the kind of joint of "hand": prismatic, not revolute'),
    ],
)
def test_differences_of_topologies_are_named(links: tuple[Link, ...], why: str):
    with pytest.raises(FigureError, match=f"figure 1 .* of another topology than the first .*{why}"):
        check_same_topology([Figure("arm", ARM), Figure("other", links)])


def test_other_shapes_and_an_empty_list_are_errors():
    with pytest.raises(FigureError, match=re.escape("('box',), not ('sphere',)")):
        varying([quadruped(), quadruped(lower="box")])
    with pytest.raises(FigureError, match="no figures"):
        varying([])


def test_an_unknown_parameter_is_refused_with_the_nearest_name():
    with pytest.raises(FigureError, match=r'no parameter "trunk.masss"; did you mean "trunk.mass"'):
        with_values(quadruped(), {"trunk.masss": 1.0})


@pytest.mark.parametrize("lower", LOWER)
def test_many_figures_are_one_figure_of_arrays(lower: str):
    """To rounding: a figure's constants are cleaned of rounding errors, arrays are not."""
    numbers = random_proportions(7)
    figures = [quadruped(own, lower) for own in numbers]
    found = parameters(with_parameters(quadruped(NOMINAL, lower), quadruped_links(np.array(numbers).T, lower)))
    for k, figure in enumerate(figures):
        own = [x[k] if np.ndim(x) else x for x in found.values()]
        np.testing.assert_allclose(own, [*parameters(figure).values()], rtol=1e-14, atol=1e-14)


def test_links_of_another_topology_are_refused():
    with pytest.raises(FigureError, match="missing: \\['hand'\\]"):
        with_parameters(Figure("arm", ARM), ARM[:2])
    with pytest.raises(FigureError, match='the kind of joint of "hand": prismatic, not revolute'):
        with_parameters(Figure("arm", ARM), (*ARM[:2], limb("hand", "arm", "prismatic")))


@pytest.mark.parametrize("lower", LOWER)
def test_a_figure_of_arrays_extends_as_far_as_each(lower: str):
    numbers = random_proportions(5)
    many = with_parameters(quadruped(NOMINAL, lower), quadruped_links(np.array(numbers).T, lower))
    np.testing.assert_allclose(extent(many), [World(quadruped(own, lower)).size for own in numbers], rtol=1e-15)
