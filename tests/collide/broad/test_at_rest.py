"""Neighbours may touch unless they overlap where the figure is built; each excluded pair has its reason."""

import warnings
from dataclasses import replace
from typing import Any

import pytest

from gambol.collide.broad import RestOverlapWarning, allowed_pairs, exclusion_reasons
from gambol.figure import Box, Closure, Figure, Joint, Link, Part, Sphere, make_forest, stacked
from gambol.figure.joint import Triple

TILE = (Part(Box((0.2, 0.1, 0.2))),)
BEAD = (Part(Sphere(0.1)),)
HINGE: Triple = (0.0, 1.0, 0.0)


def reasons(figure: Figure, **how: Any) -> dict[str, str]:
    """Return the reason of each pair, by the names of its links; assert that there is no warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = exclusion_reasons(figure, **how)
    names = [link.name for link in figure.links]
    return {f"{names[pair.link - 1]}-{names[pair.other - 1]}": why for pair, why in result.items()}


def wall_and(kind: str, position: Triple, *, axis: Triple = HINGE) -> Figure:
    """A wall of 0.2 m that is fixed to the world, and a tile that hangs on it."""
    hung = Joint(kind, axis, position=position)
    return Figure("house", (Link("wall", None, Joint("fixed"), TILE), Link("tile", "wall", hung, TILE)))


def test_neighbours_that_are_disjoint_at_rest_may_touch():
    assert reasons(wall_and("revolute", (0.25, 0.0, 0.0))) == {"wall-tile": ""}


def test_neighbours_that_overlap_at_rest_do_not_and_nothing_is_warned_of():
    figure = wall_and("revolute", (0.15, 0.0, 0.0))
    assert reasons(figure) == {"wall-tile": "neighbours that overlap at rest"}
    with warnings.catch_warnings():
        warnings.simplefilter("error", RestOverlapWarning)
        assert allowed_pairs(figure) == ()


def test_a_ladder_on_massless_links_may_touch_its_wall():
    ladder = Link("ladder", "wall", Joint("fixed"), TILE)
    x, z, turn = Joint("prismatic", (1.0, 0, 0)), Joint("prismatic", (0, 0, 1.0)), Joint("revolute", HINGE)
    wall = Link("wall", None, Joint("fixed"), TILE)
    figure = Figure("house", (wall, *stacked(ladder, [("x", x), ("z", z), ("ladder", turn)])))
    assert reasons(figure, start=(0.3, 0.5, 0.2)) == {"wall-ladder": ""}
    assert reasons(figure) == {"wall-ladder": "neighbours that overlap at rest"}


def test_children_of_a_free_joint_may_touch_all_its_ancestors():
    for kind in ("free", "fixed", "revolute"):
        wall = Link("wall", None, Joint(kind), TILE)
        between = Link("between", "wall", Joint("prismatic", (1.0, 0, 0)))
        figure = Figure("house", (wall, between, Link("block", "between", Joint("free"), TILE)))
        assert reasons(figure) == {"wall-block": ""}
        assert reasons(replace(figure, given_links=(wall, Link("block", "wall", Joint("free"), TILE)))) == {
            "wall-block": ""
        }


def test_blocks_of_a_forest_may_touch_wherever_they_are_built():
    block = Figure("block", (Link("block", None, Joint("free"), TILE),))
    assert reasons(make_forest("heap", [block, block])) == {"block1/block-block2/block": ""}


@pytest.mark.parametrize(("at", "why"), [(0.0, "neighbours that overlap at rest"), (0.1, ""), (-0.1, "")])
def test_the_hinge_decides_if_boxes_end_to_end_overlap(at: float, why: str):
    """In the middle of the faces they penetrate in both directions; at an edge the hinge is that of a door."""
    wall = Link("wall", None, Joint("fixed"), TILE)
    door = Part(Box((0.2, 0.1, 0.2)), position=(0.1, 0.0, -at))
    hinge = Joint("revolute", HINGE, position=(0.1, 0.0, at))
    figure = Figure("house", (wall, Link("door", "wall", hinge, (door,))))
    assert reasons(figure) == {"wall-door": why}


def test_a_block_that_rests_on_its_table_and_slides_up_may_touch_it():
    assert reasons(wall_and("prismatic", (0.0, 0.0, 0.2), axis=(0.0, 0.0, 1.0))) == {"wall-tile": ""}


def test_bars_with_a_closure_are_tested_in_the_initial_pose():
    links = (
        Link("one", None, Joint("revolute", HINGE), BEAD),
        Link("two", None, Joint("revolute", HINGE, position=(1.0, 0.0, 0.0)), BEAD),
    )
    forest = Figure("loop", (Link("world", None, Joint("fixed")), *(replace(link, parent="world") for link in links)))
    tied = replace(forest, constraints=(Closure("distance", "one", "two", length=1.0),))
    assert reasons(tied) == {"one-two": "they can never meet"}
    near = (
        forest.given_links[0],
        replace(forest.given_links[1], joint=Joint("prismatic", (1.0, 0, 0))),
        forest.given_links[2],
    )
    pinned = replace(tied, given_links=near)
    assert reasons(pinned) == {"one-two": ""}
    assert reasons(pinned, start=(0.85, 0.0)) == {"one-two": "neighbours that overlap at rest"}


def test_bars_drawn_side_by_side_never_touch():
    bar = (Part(Box((1.0, 0.01, 0.1)), (0.5, 0.0, 0.0)),)
    for beside, why in ((0.02, "they can never meet"), (0.009, "neighbours that overlap at rest")):
        swing = Joint("revolute", HINGE, position=(1.0, beside, 0.0))
        figure = Figure(
            "linkage", (Link("crank", None, Joint("revolute", HINGE), bar), Link("rod", "crank", swing, bar))
        )
        assert reasons(figure) == {"crank-rod": why}


def test_every_reason_is_reported():
    trunk = Link("trunk", None, Joint("free"), BEAD)

    def limb(name: str, parent: str = "trunk", kind: str = "revolute", x: float = 0.2, **part: Any) -> Link:
        bead = replace(BEAD[0], position=(0.05 if x > 0.0 else 0.0, 0.0, 0.0), **part)
        return Link(name, parent, Joint(kind, position=(x, 0.0, 0.0)), (bead,))

    links = (
        trunk,
        limb("welded", kind="fixed"),
        limb("arm"),
        limb("hand", "arm", x=0.0),
        limb("masked", group=2, mask=4),
        limb("far", x=9.0),
        limb("held", x=-0.25),
    )
    result = reasons(Figure("body", links, apart=(("trunk", "held"),)), exclude=[("arm", "held")])
    assert {name: why for name, why in result.items() if name.startswith("trunk")} == {
        "trunk-welded": "they are one body",
        "trunk-arm": "",
        "trunk-hand": "",
        "trunk-masked": "their groups and masks forbid it",
        "trunk-far": "they can never meet",
        "trunk-held": "the figure holds them apart",
    }
    assert (result["arm-hand"], result["arm-held"]) == ("neighbours that overlap at rest", "they are excluded")
    assert (result["welded-arm"], result["welded-hand"]) == ("neighbours that overlap at rest", "they overlap at rest")
    posts = [Link(name, "world", Joint("fixed"), BEAD) for name in ("post", "table")]
    still = Figure("still", (Link("world", None, Joint("fixed")), *posts))
    assert reasons(still) == {"post-table": "both are fixed to the world"}
