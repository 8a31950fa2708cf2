"""Particles in a scene: they push the figure, are born at events, and go on from a file."""

from dataclasses import replace

import numpy as np
import pytest
from worlds import ball, touch

from gambol.collide import NoGround, Plane
from gambol.contact import Attachment, SurfaceProperties
from gambol.errors import WorldError
from gambol.matter.mesh import ClothMaterial, cloth
from gambol.matter.motion import StepRule
from gambol.matter.particles import Emitter, Gravity, ParticleSystem, PointSource, Spread
from gambol.matter.scene import MeshPart, ParticleEvent, Scene, load_scene_state, scene_film
from gambol.world import External, Timing, World, start

H = 1.0 / 240.0
BALL = World(ball(0.1), ground=NoGround(), gravity=0.0, timing=Timing(H, H, "velocity verlet"))
HAIL = Emitter(
    PointSource((0.3, 0.02, 0.0)),
    bursts=((0.0, 200),),
    direction=(-1.0, 0.0, 0.0),
    cone=0.2,
    speed=Spread(3.0, 0.5),
    lifetime=Spread(10.0),
    radius=Spread(0.0004),
    density=1e6,
    restitution=0.6,
)


def momentum(scene, state):
    """Momentum and angular momentum about the origin, of a ball and all particles together."""
    body, rows, q = scene.world.figure.links[0].mass_properties, state.particles.rows, state.figure.q[0]
    turned = _world_velocity(q, state.figure.v[0])
    mu = rows[9][:, None] * rows[3:6].T
    p, spin = body.mass * turned[3:], np.array(body.inertia)[0, 0] * turned[:3]
    return mu.sum(axis=0) + p, np.cross(rows[:3].T, mu).sum(axis=0) + np.cross(q[4:], p) + spin


def _world_velocity(q, v):
    w, x, y, z = q[:4]
    R = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    return np.concatenate([R @ v[:3], R @ v[3:]])


def test_hail_pushes_a_ball_and_momentum_is_kept():
    system = ParticleSystem({"hail": HAIL}, fields=())
    scene = Scene(BALL, {}, particles=system)
    states = scene.run(scene.start(start(scene.world)), 0.3)
    born = momentum(scene, states[1])  # before the first touch
    after = momentum(scene, states[-1])
    assert states[-1].figure.v[0, 3:] @ [1, 0, 0] < -0.001  # the ball moves with the hail
    assert np.allclose(after[0], born[0], atol=1e-12)
    # particles have no spin, so friction at their radius is not in the sum; a link's wrench is taken about its origin
    # at the begin of the step
    impulse, speed = np.linalg.norm(born[0]), np.linalg.norm(states[-1].figure.v[0, 3:])
    spin = 200 * 0.3 * (1.0 + 0.6) * 3.5 * float(HAIL.mass(np.array(0.0004))) * 0.0004
    assert np.abs(after[1] - born[1]).max() < spin + 0.5 * H * speed * impulse
    assert np.linalg.norm(after[1]) > 20.0 * (spin + 0.5 * H * speed * impulse)


def torn_scene():
    material = ClothMaterial(density=0.5, tears_at=1.05, damping=0.01)
    mesh = cloth(5, 5, 0.05, material, origin=(0, 0, 2), axes=((0, 0, -1), (1, 0, 0)), pins=[(0, 0), (0, 4)])
    part = MeshPart(mesh, rule=StepRule("implicit euler", H), touches=(), velocity=(0.0, 6.0, 0.0))
    system = ParticleSystem({"lint": Emitter(lifetime=Spread(1.0))}, fields=(Gravity(),))
    return Scene(BALL, {"curtain": part}, particles=system, events=[ParticleEvent("tear", "lint", 3, ("curtain",))])


def test_lint_is_born_where_threads_tear_and_continues_from_a_file_with_the_same_bits(tmp_path):
    first = torn_scene()
    states = first.run(first.start(), 0.1)
    torn = [int((~s.meshes["curtain"].intact).sum()) for s in states]
    born = [s.particles.born for s in states]
    assert torn[-1] > 2
    assert born == [3 * n for n in torn]
    middle = states[len(states) // 2]
    middle.save(tmp_path / "scene.npz")
    second = torn_scene()
    second.start()
    end = second.run(load_scene_state(tmp_path / "scene.npz", second), 0.05)[-1]
    same = first.run(middle, 0.05)[-1]
    assert np.array_equal(end.particles.rows, same.particles.rows)
    assert end.particles.ledger == same.particles.ledger
    film = scene_film(first, states)
    assert [m.name for m in film.matter] == ["curtain", "lint"]


def test_dust_is_born_where_a_ball_lands_and_sparks_at_both_ends_of_a_broken_attachment():
    dust = Emitter(lifetime=Spread(5.0))
    attachment = Attachment("ball", None, (0.0, 0.0, 0.1), (0.0, 0.0, 0.4), stiffness=1.0, breaks_at=0.18)
    world = replace(
        BALL, surface=SurfaceProperties(touch()), ground=Plane(), gravity=9.81, contact="stepping",
        external=External(attachments=(attachment,)),
        timing=Timing(H, H, "semi-implicit euler"),
    )  # fmt: skip
    system = ParticleSystem({"dust": dust, "spark": dust})
    events = [ParticleEvent("contact", "dust", 5, ("ball",)), ParticleEvent("break", "spark", 2)]
    scene = Scene(world, {}, particles=system, events=events)
    state = scene.start(start(scene.world, position=(0.0, 0.0, 0.15)))
    for _ in range(60):
        before, state = state, scene.step(state)
        kinds = state.particles.kind[state.particles.rows[11] >= before.particles.born]
        new = state.particles.position[state.particles.rows[11] >= before.particles.born]
        if (kinds == 0).any():
            # under the ball, as near to the ground as it falls in a step
            assert np.allclose(new[kinds == 0], [0.0, 0.0, 0.0], atol=H * 1.0)
        if (kinds == 1).any():
            assert np.allclose(new[kinds == 1][2:], [0.0, 0.0, 0.4])
            assert np.allclose(new[kinds == 1][:2], state.figure.q[0, 4:] + [0.0, 0.0, 0.1], atol=1e-12)
    counts = np.bincount(state.particles.kind, minlength=2)
    assert counts[0] == 5
    assert counts[1] == 4


def test_bad_events_are_refused():
    system = ParticleSystem({"dust": Emitter()})
    with pytest.raises(WorldError, match='did you mean "dust"'):
        Scene(BALL, {}, particles=system, events=[ParticleEvent("tear", "dus")])
    with pytest.raises(WorldError, match='names "bal"; did you mean "ball"'):
        Scene(BALL, {}, particles=system, events=[ParticleEvent("contact", "dust", 1, ("bal",))])
    with pytest.raises(WorldError, match='no events of kind "tera"; did you mean "tear"'):
        ParticleEvent("tera", "dust")
    with pytest.raises(WorldError, match="0 particles"):
        ParticleEvent("tear", "dust", 0)
