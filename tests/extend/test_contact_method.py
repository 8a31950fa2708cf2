"""Contact methods from outside the package: that of docs/extend/contact-method.md, springs alone, and one that sweeps.

Independent routes: the closed form of a bounce on a spring, the conservation of energy and of momentum along the
ground, penalty contact with the same spring, and the package's own sweeps.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pages import restored, run_page

import gambol
from gambol.collide.broad import allowed_pairs
from gambol.contact import (
    CONTACT_METHODS,
    EVENT_DRIVEN,
    SMOOTH,
    TIME_STEPPING,
    ContactParameters,
    Impulse,
    Penalty,
    Scheme,
    SurfaceProperties,
    add_contact_method,
    contact_method,
)
from gambol.contact.impulse import by_collisions
from gambol.contact.method import SmoothMethod, TimeSteppingMethod
from gambol.dynamics import STANDARD_GRAVITY
from gambol.errors import WorldError
from gambol.figure import Box, Figure, Joint, Link, Part, Sphere, make_forest
from gambol.world import Engine, Timing, World, start

FINE = Timing(control_step=1e-3, step=1e-5, method="rk4")
ELASTIC = ContactParameters(
    stiffness=1e4,
    alpha=0.0,
    beta=1.0,
    damping=0.0,
    deepest=1.0,
    restitution=1.0,
    restitution_speed=1.0,
    friction=0.0,
    bristle_stiffness=1.0,
    bristle_damping=0.0,
    skid_damping=0.0,
)
"""Penalty contact as a spring of 1e4 N/m alone."""


@pytest.fixture(autouse=True)
def page() -> Iterator[dict[str, Any]]:
    with restored(CONTACT_METHODS):
        yield run_page("extend/contact-method.md")


def ball(radius: float = 0.05, mass: float = 1.0) -> Figure:
    part = Part(Sphere(radius), density=mass / (4.0 / 3.0 * math.pi * radius**3))
    return Figure("ball", (Link("ball", None, Joint("free"), (part,)),))


def test_a_ball_bounces_as_on_a_spring(page: dict[str, Any]):
    """Without weight depth is v/w sin(w t), w^2 = k/m, for half a period; then the ball leaves at its speed."""
    stiffnesses, v, mass = np.array([5e3, 1e4, 4e4]), 2.0, 1.0
    world = World(ball(), surface=SurfaceProperties(ELASTIC), contact=page["Springs"](1e4), timing=FINE, gravity=0.0)
    engine, state = Engine(world), start(world, 3, position=(0.0, 0.0, 0.05))
    state.v[:, 5] = -v
    numbers = engine.numbers(contact={"stiffness": stiffnesses})
    w = np.sqrt(stiffnesses / mass)
    for frame in range(1, 6):
        engine.advance(state, frame, numbers)
        t = frame * FINE.control_step
        np.testing.assert_allclose(state.q[:, 6], 0.05 - v / w * np.sin(w * t), rtol=0, atol=1e-8)
        seen = engine.observe(state, numbers)
        np.testing.assert_allclose(seen.stored, 0.5 * mass * (v * np.sin(w * t)) ** 2, rtol=1e-6)
        np.testing.assert_allclose(seen.elsewhere, mass * v * w * np.sin(w * t), rtol=1e-6)
    engine.advance(state, round(math.pi / w[0] / FINE.control_step) + 2, numbers)
    # Contact begins and ends inside a step: RK4 is of first order there, in the change of force k v h within a step.
    np.testing.assert_allclose(state.v[:, 5], v, rtol=0, atol=stiffnesses.max() / mass * v * FINE.step**2)


def test_there_is_no_friction_and_energy_is_conserved(page: dict[str, Any]):
    world = World(ball(), surface=SurfaceProperties(ELASTIC), contact=page["Springs"](1e4), timing=FINE)
    engine, state = Engine(world), start(world, position=(0.0, 0.0, 0.1))
    state.v[:, 3] = 1.0
    before = engine.observe(state)
    engine.advance(state, 300)
    after = engine.observe(state)
    assert state.q[0, 4] == pytest.approx(0.3, abs=1e-12)  # along the ground it moves as if there were none
    total = [x.kinetic + x.potential + x.stored for x in (before, after)]
    # Two bounces at 1 m/s begin and end within a step, which changes the speed by up to k v h^2 / m each time.
    np.testing.assert_allclose(total[1], total[0], rtol=0, atol=4 * 1e4 * 1.0**2 * FINE.step**2)


def test_it_is_penalty_contact_without_losses(page: dict[str, Any]):
    """Boxes that fall on each other: the package's own springs give the same, with the ground and between parts."""
    box = Figure("box", (Link("box", None, Joint("free"), (Part(Box((0.2, 0.2, 0.1)), density=500.0),)),))
    figure = make_forest("boxes", [box, box])
    ends = []
    for method in (page["Springs"](1e4), Penalty()):
        world = World(
            figure, surface=SurfaceProperties(ELASTIC), contact=method, pairs=allowed_pairs(figure), timing=FINE
        )
        state = start(world)
        state.q[0, 6], state.q[0, 13] = 0.051, 0.153
        state.q[0, 11] = 0.03
        Engine(world).advance(state, 60)
        ends.append(state.q[0].copy())
    np.testing.assert_allclose(ends[0], ends[1], rtol=0, atol=1e-9)


def test_contacts_have_the_forces_of_its_law(page: dict[str, Any]):
    """At a depth of 2 mm the ground pushes a ball up with k d; a method that hides its law is an error."""
    world = World(ball(), surface=SurfaceProperties(ELASTIC), contact=page["Springs"](1e4), timing=FINE)
    found = gambol.contacts(world, start(world, position=(0.0, 0.0, 0.048)))
    np.testing.assert_allclose(found.force, [[0.0, 0.0, 1e4 * 0.002]], rtol=1e-9, atol=1e-12)
    film = gambol.run(world, start(world, position=(0.0, 0.0, 0.048)), 0.004, contacts=True)
    w, t = math.sqrt(1e4 / 1.0), film.time[-1]  # about the depth at rest, m g / k
    depth = 0.002 * math.cos(w * t) + STANDARD_GRAVITY / w**2 * (1.0 - math.cos(w * t))
    np.testing.assert_allclose(film.contacts(len(film.time) - 1).force[:, 2], 1e4 * depth, rtol=1e-7)

    def forces(self: Any, *inputs: Any) -> Any:
        return page["Springs"](self.stiffness).forces(*inputs)

    hidden = dataclass(frozen=True)(type("Hidden", (page["Springs"],), {"law": SmoothMethod.law, "forces": forces}))
    del CONTACT_METHODS["mylab springs"]
    add_contact_method(hidden)
    world = replace(world, contact=hidden(1e4))
    assert gambol.run(world, start(world), 0.004).signals
    with pytest.raises(WorldError, match=r'"mylab springs" lacks law\(\) or point_forces\(\)'):
        gambol.run(world, start(world), 0.004, contacts=True)


def test_the_name_takes_the_default_options(page: dict[str, Any]):
    world = gambol.make_world(ball(), contact="mylab springs", timing=FINE)
    assert world.method == page["Springs"]()
    assert page["world"].method == page["Springs"](1e4)
    with pytest.raises(WorldError, match="stiffness of springs"):
        page["Springs"](0.0)
    with pytest.raises(WorldError, match='did you mean "mylab springs"'):
        gambol.make_world(ball(), contact="mylab spring")


def test_a_method_of_time_steps_is_a_row_too():
    @dataclass(frozen=True)
    class Colliding(TimeSteppingMethod):
        max_contacts: int | None = None
        iterations: int = 8

        name = "mylab colliding"
        scheme = TIME_STEPPING
        figure_parameters = False

        def impulses(self, problem: Any) -> Any:
            return by_collisions("stronge")(problem)

    add_contact_method(Colliding)
    ends = []
    for method in (contact_method("mylab colliding"), Impulse()):
        surface = SurfaceProperties(replace(ELASTIC, restitution=0.6, friction=0.3))
        world = World(ball(), surface=surface, contact=method, timing=Timing(1e-2, 1e-2))
        state = start(world, position=(0.0, 0.0, 0.2))
        state.v[:, 3] = 1.0
        Engine(world).advance(state, 60)
        ends.append(state.q[0].copy())
    np.testing.assert_array_equal(ends[0], ends[1])


def test_a_row_that_lacks_something_is_refused():
    @dataclass(frozen=True)
    class Bare:
        name = "bare"
        scheme = EVENT_DRIVEN

    with pytest.raises(WorldError, match=r'"Bare" lacks figure_parameters, check, .*max_contacts, solver; see docs'):
        add_contact_method(Bare)

    @dataclass(frozen=True)
    class Forceless(SmoothMethod):
        name = "forceless"
        scheme = SMOOTH
        figure_parameters = True

    with pytest.raises(WorldError, match='"Forceless" lacks forces; see docs'):
        add_contact_method(Forceless)
    with pytest.raises(WorldError, match="lacks name, scheme"):
        add_contact_method(int)


def test_anything_but_a_method_is_refused():
    with pytest.raises(WorldError, match=r"give an object: Impulse\(\)"):
        World(ball(), contact=Impulse)  # pyright: ignore[reportArgumentType]
    with pytest.raises(WorldError, match='"int" lacks name, scheme'):
        World(ball(), contact=3)  # pyright: ignore[reportArgumentType]
    with pytest.raises(WorldError, match='no contact method has the option "iteration"; did you mean "iterations"'):
        contact_method("penalty", iteration=3)
    with pytest.raises(WorldError, match="max_contacts is 0; give 1 or more"):
        contact_method("stepping", max_contacts=0)


def test_a_row_of_another_kind_is_refused(page: dict[str, Any]):
    class Loose(SmoothMethod):
        name, scheme, figure_parameters = "loose", SMOOTH, True

        def forces(self, *given: Any) -> Any:
            return None

    @dataclass(frozen=True)
    class Other(page["Springs"]):
        name = "penalty"

    @dataclass(frozen=True)
    class Schemeless(page["Springs"]):
        name, scheme = "schemeless", "smooth"

    add_contact_method(page["Springs"])  # again: the same class
    for method, message in ((Other, "already"), (Schemeless, "is not SMOOTH"), (Loose, "must be a frozen dataclass")):
        with pytest.raises(WorldError, match=message):
            add_contact_method(method)


def test_a_custom_scheme_takes_its_steps_and_has_its_memory(page: dict[str, Any], tmp_path: Path):
    """Steps of two halves are those of the package with half the step, to the last bit; a ball lands in them."""
    timing = Timing(control_step=0.01, step=0.01)
    mine = gambol.make_world(ball(), contact=page["Halved"](), timing=timing)
    other = gambol.make_world(ball(), contact="stepping", timing=replace(timing, step=0.005))
    state, expected = (start(world, position=(0.0, 0.0, 0.2)) for world in (mine, other))
    for _ in range(40):
        state, expected = gambol.step(mine, state), gambol.step(other, expected)
        np.testing.assert_array_equal(state.q, expected.q)
        np.testing.assert_array_equal(state.v, expected.v)
    touched = float(state.step_state.memory.own_contact["touched"][0])
    fallen = math.sqrt(2.0 * 0.15 / STANDARD_GRAVITY)  # it falls by 0.15 m, then it rests
    np.testing.assert_allclose(touched, (0.4 - fallen) / 0.005, atol=2.0)
    gambol.save_state(state, tmp_path / "state.npz")
    again = gambol.load_state(tmp_path / "state.npz", mine)
    assert again.step_state.memory.own_contact["touched"][0] == touched
    impulse = state.step_state.memory.contact_cache.impulses[0][0]  # of the last step, of 5 ms and 1 kg
    np.testing.assert_allclose(impulse / 0.005, STANDARD_GRAVITY, rtol=1e-3)
    film = gambol.run(mine, state, seconds=0.1)
    assert abs(film.signals["unaccounted"][-1, 0]) < 1e-6


def test_a_scheme_without_a_step_is_refused(page: dict[str, Any]):
    @dataclass(frozen=True)
    class Stepless(page["Halved"]):
        name = "mylab stepless"
        scheme = Scheme("mylab stepless", ())

    with pytest.raises(WorldError, match=r'"Stepless" is not SMOOTH, .*nor a Scheme with a step'):
        add_contact_method(Stepless)
