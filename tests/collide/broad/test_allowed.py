"""Pairs that may touch: neighbours, masks, explicit pairs, and parts that never meet, against sampled postures."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium
import mujoco
import numpy as np
import pytest

from gambol.collide.broad import (
    Pair,
    RestOverlapWarning,
    allowed_pairs,
    always_disjoint,
    bodies_of,
    overlapping,
    overlaps_at_rest,
    rest_poses,
)
from gambol.dynamics import kinematics
from gambol.errors import FigureError
from gambol.figure import (
    Closure,
    Figure,
    Joint,
    JointSpring,
    Link,
    Part,
    Sphere,
    make_forest,
    random_figure,
    random_state,
    stacked,
)
from gambol.formats import read_mjcf

BEAD = (Part(Sphere(0.1)),)


def bead(name: str, parent: str | None, x: float = 0.15, kind: str = "revolute", **part: Any) -> Link:
    parts = tuple(replace(one, **part) for one in BEAD)
    return Link(name, parent, Joint("free" if parent is None else kind, position=(x, 0.0, 0.0)), parts)


def chain(*names: str, **part: Any) -> tuple[Link, ...]:
    return tuple(bead(name, names[k - 1] if k else None, **part) for k, name in enumerate(names))


def touching(figure: Figure, **options: Any) -> set[str]:
    return {
        f"{figure.links[p.link - 1].name}-{figure.links[p.other - 1].name}"
        for p in allowed_pairs(figure, overlap=None, **options)
    }


def test_links_on_one_joint_do_not_touch_but_the_next_ones_do():
    assert touching(Figure("snake", chain("a", "b", "c", "d"))) == {"a-c", "a-d", "b-d"}


def test_massless_links_between_leave_neighbours_neighbours():
    a, b, c = chain("a", "b", "c")
    hip = stacked(b, [(f"hip{k}", Joint("revolute", axis)) for k, axis in enumerate([(1.0, 0, 0), (0, 1.0, 0)])])
    assert touching(Figure("limb", (a, *hip, replace(c, parent=hip[-1].name)))) == {"a-c"}


def test_links_fixed_to_each_other_are_one_body():
    a, *_, c, d = chain("a", "b", "c", "d")
    figure = Figure("stiff", (a, bead("b", "a", kind="fixed"), c, d))
    assert touching(figure) == {"a-d", "b-d"}
    assert bodies_of(figure).body == (0, 1, 1, 3, 4)


def test_a_closure_makes_neighbours_and_a_weld_one_body():
    links = chain("a", "b", "c", "d")
    assert touching(Figure("ring", links, constraints=(Closure("point", "d", "a"),))) == {"a-c", "b-d"}
    assert touching(Figure("ring", links, constraints=(Closure("weld", "d", "a"),))) == set()


def test_groups_and_masks_decide_as_in_mujoco():
    a, b, c = chain("a", "b", "c")
    silent = replace(c, parts=(replace(c.parts[0], group=2, mask=0),))
    assert touching(Figure("masked", (a, b, silent))) == set()
    curious = replace(a, parts=(replace(a.parts[0], mask=2),))
    assert touching(Figure("masked", (curious, b, silent))) == {"a-c"}
    ghost = replace(c, parts=(replace(c.parts[0], colliding=False),))
    assert touching(Figure("masked", (a, b, ghost))) == set()


def test_what_is_named_is_held_apart_or_paired():
    links = chain("a", "b", "c", "d")
    assert touching(Figure("named", links), exclude=[("d", "a")]) == {"a-c", "b-d"}
    assert touching(Figure("named", links, apart=(("a", "c"),))) == {"a-d", "b-d"}
    assert touching(Figure("named", links, paired=(("b", "a"),))) == {"a-b", "a-c", "a-d", "b-d"}
    with pytest.raises(FigureError, match='no link "e"'):
        allowed_pairs(Figure("named", links), exclude=[("e", "a")])


def test_figures_of_a_forest_touch_each_other_all_over():
    one = Figure("one", chain("a", "b"))
    table = Figure("table", (Link("top", None, Joint("fixed"), BEAD),))
    stand = Figure("stand", (Link("foot", None, Joint("fixed"), BEAD), bead("arm", "foot")))
    forest = make_forest("scene", [one, table, stand])
    assert touching(forest) == {"a-top", "b-top", "a-foot", "b-foot", "a-arm", "b-arm", "top-arm"}
    apart = allowed_pairs(make_forest("heap", [one, one, one]))  # all begin in one place, which says nothing
    assert len(apart) == 12


def test_each_part_of_a_link_is_a_pair_of_its_own():
    a, b, c = chain("a", "b", "c")
    two = replace(c, parts=(*BEAD, Part(Sphere(0.05), position=(0.3, 0.0, 0.0))))
    figure = Figure("parts", (a, b, two))
    assert allowed_pairs(figure, overlap=None) == (Pair(1, 0, 3, 0), Pair(1, 0, 3, 1))
    assert allowed_pairs(figure) == (Pair(1, 0, 3, 0), Pair(1, 0, 3, 1), Pair(2, 0, 3, 1))


def disjoint(figure: Figure, **options: Any) -> bool:
    (one, *_, other) = figure.links
    return always_disjoint(
        figure, ((one.index, one.parts[0]), (other.index, other.parts[0])), options.get("springs", {})
    )


@pytest.mark.parametrize(("middle", "apart"), [(0.34, False), (0.36, True)])
def test_two_ends_of_a_long_link_never_touch(middle: float, apart: bool):
    a, b, c = chain("a", "b", "c")
    figure = Figure("bar", (a, b, replace(c, joint=replace(c.joint, position=(middle, 0.0, 0.0)))))
    assert disjoint(figure) == apart
    assert touching(figure) == (set() if apart else {"a-c"})


def test_limits_bound_how_near_a_slide_leads():
    a, b, c = chain("a", "b", "c")
    rail = Joint("prismatic", position=(1.0, 0.0, 0.0))
    figure = Figure("rail", (a, b, replace(c, joint=rail)))
    assert not disjoint(figure)
    assert disjoint(figure, springs={"c": JointSpring(lower=-0.64, upper=0.64)})
    assert not disjoint(figure, springs={"c": JointSpring(lower=-0.64, upper=0.66)})
    assert not disjoint(figure, springs={"c": JointSpring(upper=0.64)})


def test_excluded_pairs_do_not_touch_in_any_sampled_posture():
    kinds, met = ("revolute", "spherical", "universal", "prismatic", "planar", "helical", "axial", "fixed"), 0
    for seed in range(20):
        bare = random_figure(seed, 7, kinds=kinds, root="free")
        links = tuple(replace(link, parts=(Part(Sphere(0.05), inertial=False),)) for link in bare.given_links)
        figure = Figure("beads", links)
        limits = {"prismatic": 1, "helical": 1, "axial": 1, "planar": 3}
        stop = JointSpring(lower=-1.0, upper=1.0)
        springs = {l.name: (stop,) * limits[l.joint.kind] for l in figure.links if l.joint.kind in limits}
        may = {(p.link, p.other) for p in allowed_pairs(figure, springs=springs, overlap=None)}
        bodies = bodies_of(figure)
        for sample in range(6):
            q, v = random_state(figure, sample)
            for link in figure.links:
                if link.joint.kind in limits:
                    q[link.q] = np.tanh(q[link.q])
            at = [pose.position for pose in kinematics(figure, q.tolist(), v.tolist()).poses]
            for i in range(1, 8):
                for j in range(i + 1, 8):
                    if bodies.may_collide(i, j) and (at[i] - at[j]).length() < 0.1:
                        assert (i, j) in may
                        met += 1
    assert met > 10


def test_parts_that_overlap_at_rest_are_left_out_and_named():
    figure = Figure("tight", (*chain("a", "b"), bead("c", "b", 0.01), bead("d", "c", 0.3)))
    with pytest.warns(RestOverlapWarning, match=r'1 pairs .* "a" \(sphere 1\) and "c" \(sphere 1\)'):
        pairs = allowed_pairs(figure)
    assert pairs == (Pair(1, 0, 4, 0),)
    assert overlaps_at_rest(figure, allowed_pairs(figure, overlap=None), overlapping) == (Pair(1, 0, 3, 0),)


def test_parts_that_just_touch_at_rest_may_touch():
    for gap, met in [(0.0, True), (-1e-9, True), (-1e-3, False)]:
        figure = Figure("row", (*chain("a", "b"), bead("c", "b", 0.2 - 0.15 + gap)))
        assert bool(allowed_pairs(figure, exclude=() if met else [("a", "c")])) == met


def test_the_rest_pose_is_that_of_the_joints():
    turned = Joint("revolute", rotation=((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)), position=(0.15, 0.0, 0.0))
    a, b, c = chain("a", "b", "c")
    figure = Figure("corner", (a, replace(b, joint=turned), c))
    result = [(pose.position.x, pose.position.y) for pose in rest_poses(figure)]
    np.testing.assert_allclose(result, [(0.0, 0.0), (0.15, 0.0), (0.3, 0.0), (0.3, 0.15)], atol=1e-15)
    assert overlaps_at_rest(figure, [Pair(1, 0, 3, 0)], lambda *_: True) == ()  # 0.21 apart: the balls do not meet


def mujoco_pairs(model: Any) -> int:
    """Return the pairs of geoms that may touch in MuJoCo: by their bits, not of one body nor of parent and child."""
    body, weld = model.geom_bodyid, model.body_weldid
    parent = weld[model.body_parentid[weld]]
    count = 0
    for i in range(model.ngeom):
        for j in range(i):
            a, b = weld[body[i]], weld[body[j]]
            tied = a == b or 0 in (a, b) or parent[a] == b or parent[b] == a
            bits = model.geom_contype[[i, j]] & model.geom_conaffinity[[j, i]]
            count += not tied and bits.any()
    return int(count)


@pytest.mark.parametrize(("name", "some"), [("humanoid", True), ("ant", False)])
def test_mujocos_creatures_touch_themselves_as_there(name: str, some: bool):
    path = Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets" / f"{name}.xml"
    expected = mujoco_pairs(mujoco.MjModel.from_xml_path(str(path)))
    assert len(allowed_pairs(read_mjcf(path).figure)) == expected
    assert (expected > 0) == some
