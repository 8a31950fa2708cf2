"""Contact of legs with the trunk: the pairs, which a world includes only on request."""

from gambol.collide.broad.at_rest import overlapping, overlaps_at, poses_at
from gambol.creatures import roach, standing_state, world_of
from gambol.creatures.trunk import trunk_pairs

ROACH = roach()
TRUNK = {"abdomen", "thorax", "head"}


def test_legs_may_touch_the_trunk_where_they_are_disjoint_in_the_initial_posture():
    pairs = trunk_pairs(ROACH)
    names = [link.name for link in ROACH.figure.links]
    ends = {(names[pair.link - 1], names[pair.other - 1]) for pair in pairs}
    assert all((one in TRUNK) != (other in TRUNK) for one, other in ends)
    assert {("abdomen", "leg_ml2"), ("thorax", "leg_fl2"), ("head", "leg_fr4"), ("abdomen", "leg_bl4")} <= ends
    assert not {("abdomen", "leg_bl1"), ("abdomen", "leg_br2")} & ends  # which begin inside the abdomen
    assert len(ends) == len(pairs) == 78
    world = world_of(ROACH)
    q = standing_state(ROACH, world).q[0].tolist()
    poses = poses_at(ROACH.figure, {link.index: q[link.q] for link in ROACH.figure.links})
    assert overlaps_at(ROACH.figure, pairs, overlapping, poses) == ()
    assert world.pairs == ()
    assert world_of(ROACH, solid_trunk=True).pairs == pairs
