"""Films of piles: links are drawn where kinematics of the figure has them, bodies where their states are."""

import numpy as np
import pytest

from gambol.dynamics.states import kinematics
from gambol.errors import GambolError
from gambol.figure import Box, Capsule, Figure, Frustum, Joint, Link, Part
from gambol.rigid import Body, Pile, PileState, body_frame, initial_state, linked_bodies
from gambol.view import pile_film

FRUSTUM = Frustum(0.2, 0.1, 0.3)


def pile_with_a_figure() -> tuple[Pile, PileState, Figure, np.ndarray]:
    body = Link("body", None, Joint("free"), (Part(Box((0.3, 0.2, 0.1)), (0.1, 0.0, 0.0), color="#112233"),))
    hinge = Joint("revolute", (0.0, 1.0, 0.0), position=(0.2, 0.0, 0.0))
    figure = Figure("two", (body, Link("arm", "body", hinge, (Part(Capsule(0.05, 0.2), (0.1, 0.0, 0.1)),))))
    linked = linked_bodies(figure, first=2)
    pile = Pile([Body(FRUSTUM, 1.0), *linked.bodies], joints=linked.joints)
    q = np.array([0.8, 0.6, 0.0, 0.0, 0.1, 0.2, 1.0, 0.7])
    x, turn, v = linked.state(q, np.zeros(7))
    com = body_frame(FRUSTUM).com
    return pile, initial_state(pile, [com, *x], [[1.0, 0.0, 0.0, 0.0], *turn], [[0.0] * 6, *v]), figure, q


def test_links_are_where_the_figure_has_them():
    pile, state, figure, q = pile_with_a_figure()
    film = pile_film(pile, [state, state], colors=["#445566"])
    assert film.link_names == ("body 1", "two body", "two arm")
    expected = kinematics(figure, q)
    assert np.abs(film.position[1, 0, 1:] - np.array(expected.position, float)).max() < 1e-12
    turned = (film.quaternion[1, 0, 1:] * np.array(expected.quaternion, float)).sum(axis=1)
    assert np.abs(np.abs(turned) - 1.0).max() < 1e-12
    assert np.abs(film.position[:, 0, 0]).max() < 1e-12  # the frame of the frustum is in the middle of its axis
    assert [(shape.link, shape.kind, shape.color) for shape in film.shapes] == [
        (0, "frustum", "#445566"),
        (1, "box", "#112233"),
        (2, "capsule", None),
    ]


def test_states_of_another_pile_are_refused():
    pile, state, *_ = pile_with_a_figure()
    with pytest.raises(GambolError, match="at least one"):
        pile_film(pile, [])
    with pytest.raises(GambolError, match="number of bodies"):
        pile_film(Pile(pile.bodies[:1]), [state])
