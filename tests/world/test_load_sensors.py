"""Sensors of forces and accelerations in worlds whose statics are known, by each scheme of contact."""

from typing import Any

import numpy as np
import pytest

import gambol
from gambol.collide import NoGround
from gambol.collide.broad import allowed_pairs
from gambol.errors import FigureError, WorldError
from gambol.figure import Box, Closure, Figure, Joint, JointSpring, Link, Part, Sphere
from gambol.figure.forest import make_forest
from gambol.sensing import (
    Accelerometer,
    ContactForce,
    ContactPoints,
    Energy,
    ForceTorque,
    JointLimitForce,
    Sensor,
    Touch,
)
from gambol.world import World, run, start

G = 9.81
FREE = Joint("free")
BOX = Figure("box", (Link("box", None, FREE, (Part(Box((0.4, 0.4, 0.2)), density=500.0),)),))  # 16 kg
BALL = Figure("ball", (Link("ball", None, FREE, (Part(Sphere(0.1), density=1000.0),)),))
STACK = make_forest("stack", {"box": BOX, "ball": BALL})
WEIGHTS = {link.name: link.mass_properties.mass * G for link in STACK.links}

SENSORS: dict[str, Sensor] = {
    "on ball": ContactForce("ball"),
    "on box": ContactForce("box"),
    "of ground": ContactForce("box", others=("ground",)),
    "of ball": ContactForce("box", others=("ball",)),
    "points": ContactPoints("box", others=("ground",), count=4),
    "touch": Touch("box"),
    "top": Touch("box", position=(0.0, 0.0, 0.05), zone=Box((0.2, 0.2, 0.09))),
    "acceleration": Accelerometer("ball"),
}


@pytest.mark.parametrize("contact", ["impulse", "penalty", "constraint"])
def test_a_ball_on_a_box_weighs_on_it_and_both_on_the_ground(contact: str):
    """At rest. Impulses and springs have settled to a thousandth of the weight."""
    world = gambol.make_world(STACK, pairs=allowed_pairs(STACK), sensors=SENSORS, contact=contact)
    q = list(world.initial.q)
    for name, height in (("box", 0.1), ("ball", 0.3)):
        q[STACK.link(name).q] = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, height]
    film = run(world, start(world, q=q), 2.0, rate=10.0, contacts=True)
    read = {name: film.signals[f"sensor {name}"][-1, 0] for name in SENSORS}
    both, atol = WEIGHTS["box"] + WEIGHTS["ball"], 1e-3 * WEIGHTS["box"]
    np.testing.assert_allclose(read["on ball"], [0.0, 0.0, WEIGHTS["ball"]], atol=atol)
    np.testing.assert_allclose(read["of ball"], [0.0, 0.0, -WEIGHTS["ball"]], atol=atol)
    np.testing.assert_allclose(read["of ground"], [0.0, 0.0, both], atol=atol)
    np.testing.assert_allclose(read["on box"], [0.0, 0.0, WEIGHTS["box"]], atol=atol)
    np.testing.assert_allclose(read["touch"], [both + WEIGHTS["ball"]], atol=2.0 * atol)
    np.testing.assert_allclose(read["acceleration"], [0.0, 0.0, G], atol=1e-2 * G)
    points = read["points"].reshape(4, 2, 3)
    np.testing.assert_allclose(points[:, 1].sum(axis=0), [0.0, 0.0, both], atol=atol)
    np.testing.assert_allclose(np.abs(points[:, 0, :2]), 0.2, atol=1e-3)  # the corners of the box
    assert (np.diff(points[:, 1, 2]) <= 1e-9).all()
    seen = film.contacts(len(film.time) - 1)
    on_ball = STACK.link("ball").index - 1
    expected = seen.force[seen.link == on_ball].sum(axis=0) - seen.force[seen.other == on_ball].sum(axis=0)
    np.testing.assert_allclose(read["on ball"], expected, atol=1e-9 * both)


def test_a_zone_counts_the_contacts_that_it_covers():
    """Of the contacts of the box, only that of the ball points into the upper half of its middle."""
    world = gambol.make_world(STACK, pairs=allowed_pairs(STACK), sensors=SENSORS)
    q = list(world.initial.q)
    for name, height in (("box", 0.1), ("ball", 0.3)):
        q[STACK.link(name).q] = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, height]
    film = run(world, start(world, q=q), 1.0, rate=10.0)
    np.testing.assert_allclose(film.signals["sensor top"][-1, 0], [WEIGHTS["ball"]], atol=1e-2 * WEIGHTS["ball"])


def arm(**options: Any) -> World:
    """Return a level arm of 1 m and 1 kg at a hinge, which rests on its limit."""
    joint = Joint("revolute", axis=(0.0, 1.0, 0.0))
    part = Part(Box((1.0, 0.1, 0.1)), (0.5, 0.0, 0.0), density=100.0)
    figure = Figure("arm", (Link("arm", None, joint, (part,)),))
    return gambol.make_world(figure, ground=NoGround(), springs={"arm": JointSpring(upper=0.0)}, **options)


@pytest.mark.parametrize("contact", ["impulse", "constraint"])
def test_an_arm_on_its_limit_is_held_by_its_joint(contact: str):
    """The limit carries m g / 2 times 1 m; the joint carries the weight; nothing accelerates."""
    sensors: dict[str, Sensor] = {
        "limit": JointLimitForce("arm"),
        "wrench": ForceTorque("arm", position=(1.0, 0.0, 0.0)),
        "tip": Accelerometer("arm", position=(1.0, 0.0, 0.0)),
    }
    world = arm(sensors=sensors, contact=contact)
    film = run(world, start(world), 0.5, rate=10.0)
    read = {name: film.signals[f"sensor {name}"][-1, 0] for name in sensors}
    np.testing.assert_allclose(read["limit"], [-0.5 * G], rtol=1e-3)
    np.testing.assert_allclose(read["wrench"][:3], [0.0, 0.0, G], atol=1e-2)
    np.testing.assert_allclose(read["wrench"][3:], [0.0, 0.5 * G, 0.0], atol=1e-2)  # -m g / 2 at the hinge, + m g
    np.testing.assert_allclose(read["tip"], [0.0, 0.0, G], atol=1e-2)


def test_a_falling_body_measures_no_load_and_conserves_energy():
    sensors: dict[str, Sensor] = {"inside": Accelerometer("ball", (0.05, 0.0, 0.0)), "energy": Energy()}
    world = gambol.make_world(BALL, ground=NoGround(), sensors=sensors)
    film = run(world, start(world), 1.0, rate=10.0)
    np.testing.assert_allclose(film.signals["sensor inside"], 0.0, atol=1e-12)
    total = film.signals["sensor energy"].sum(axis=2)
    np.testing.assert_allclose(total, total[0, 0], atol=1e-2 * film.signals["sensor energy"][-1, 0, 0])


@pytest.mark.parametrize(
    ("sensor", "error", "text"),
    [
        (ContactForce("bal"), FigureError, '"bal"'),
        (ContactForce("ball", others=("grond",)), FigureError, '"grond"'),
        (ContactPoints("ball", count=0), WorldError, "reads 0 contacts; give 1 to 16"),
        (ForceTorque("ball", parts=("forse",)), WorldError, 'reads "forse"; did you mean "force"'),
        (Energy(parts=("kinetik",)), WorldError, 'reads the energy "kinetik"; did you mean "kinetic"'),
        (JointLimitForce("ball"), WorldError, 'width 1; the joint of "ball" has 6'),
    ],
)
def test_impossible_sensors_are_refused_before_a_run(sensor: Sensor, error: type[Exception], text: str):
    with pytest.raises(error, match=text):
        gambol.make_world(BALL, sensors={"one": sensor})


def test_frames_must_be_rotations_at_finite_places():
    with pytest.raises(WorldError, match="cannot be at"):
        Accelerometer("ball", position=(float("nan"), 0.0, 0.0))
    with pytest.raises(FigureError, match="invalid rotation"):
        Accelerometer("ball", rotation=((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 2.0)))


def swing(closure: str) -> Figure:
    """A beam that hangs on two bars of 1 m, 2 m apart; its centre of mass is 0.5 m from the first one."""
    hinge = (0.0, 1.0, 0.0)
    bar = Part(Box((0.05, 0.05, 1.0)), (0.0, 0.0, -0.5), density=800.0)
    links = (
        Link("frame", None, Joint("fixed")),
        Link("first", "frame", Joint("revolute", hinge), (bar,)),
        Link("second", "frame", Joint("revolute", hinge, position=(2.0, 0.0, 0.0)), (bar,)),
        Link("beam", "first", Joint("revolute", hinge, position=(0.0, 0.0, -1.0)), (LOAD,)),
    )
    upright = ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0))  # z of a closure's hinge is the axis
    poses = {"rotation": upright, "other_rotation": upright} if closure == "hinge" else {}
    ends = {"position": (2.0, 0.0, 0.0), "other_position": (0.0, 0.0, -1.0)}
    return Figure("swing", links, constraints=(Closure(closure, "beam", "second", **ends, **poses),))


LOAD = Part(Box((0.2, 0.1, 0.1)), (0.5, 0.0, 0.0), density=2000.0)


@pytest.mark.parametrize("contact", ["penalty", "stepping"])
@pytest.mark.parametrize("closure", ["point", "hinge"])
def test_joints_of_a_closed_loop_carry_what_the_law_of_the_lever_gives(closure: str, contact: str):
    """m g (1 - a / l) and m g a / l of the beam, and the weight of each bar, in the position of rest."""
    figure = swing(closure)
    read = {f"{name} top": ForceTorque(name, parts=("force",)) for name in ("first", "second")}
    world = World(
        figure, ground=NoGround(), sensors=read | {"beam": ForceTorque("beam", parts=("force",))}, contact=contact
    )
    values = gambol.sensors(world, start(world))
    beam, bar = (figure.link(name).mass_properties.mass * G for name in ("beam", "first"))
    np.testing.assert_allclose(values["first top"][0], [0.0, 0.0, bar + 0.75 * beam], atol=1e-9 * beam)
    np.testing.assert_allclose(values["second top"][0], [0.0, 0.0, bar + 0.25 * beam], atol=1e-9 * beam)
    np.testing.assert_allclose(values["beam"][0], [0.0, 0.0, 0.75 * beam], atol=1e-9 * beam)
