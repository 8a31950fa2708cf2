"""The scenes of McKenna's film [McKenna 1990, section 5.4], which the example scripts play: what each must show."""

from pathlib import Path
from shutil import copytree
from typing import Any

import numpy as np
import pytest

from gambol.collide.pairs import gaps
from gambol.creatures import roach
from gambol.dynamics import STANDARD_GRAVITY
from gambol.figure import Figure
from gambol.script import read_script
from gambol.spatial import Quaternion, Rotation, Transform, Vector
from gambol.world import Film, run, start

SCRIPTS = Path(__file__).parents[2] / "examples" / "scripts"
TOUCH = SCRIPTS / "parts" / "touch.corpus"
WEIGHT = roach().figure.mass * STANDARD_GRAVITY
"""Weight of the roach [N]."""


def played(name: str, folder: Path) -> Film:
    return read_script(SCRIPTS / f"{name}.corpus").run(folder, echo=lambda line: None)


def upright(film: Film) -> np.ndarray:
    """Return the cosine of the angle between the z axis of the roach's abdomen and the vertical, in each frame."""
    q = film.quaternion[:, 0, film.link_names.index("abdomen")]
    return 1.0 - 2.0 * (q[:, 1] ** 2 + q[:, 2] ** 2)


def assert_no_leg_passes_through(name: str, film: Film) -> None:
    """Assert that no part of the roach is deep in another, in any frame.

    Legs pass 4 to 6 mm deep through the abdomen without contacts. Contacts are springs, and give way a little: their
    force is the weight of the roach at 0.15 mm, and 34 times the weight at 1 mm. Only pairs that collide are tested.
    """
    figure = read_script(SCRIPTS / f"{name}.corpus").dry_run().build_world().figure
    prefix = "roach/" if "roach/abdomen" in film.link_names else ""
    touching = [line.split()[1:] for line in TOUCH.read_text(encoding="utf-8").splitlines() if line[:8] == "collide "]
    assert len(touching) == 51
    for pair in touching:
        shapes, poses = zip(*(solid(figure, film, prefix + link) for link in pair), strict=True)
        found = gaps(shapes[0], poses[0], shapes[1], poses[1])
        assert min(np.min(gap.size) for gap in found) > -1e-3, pair


def assert_hind_tibiae_pass_the_abdomen(name: str, film: Film) -> None:
    """Assert that no hind tibia, beyond its first quarter, is deep in the abdomen in any frame."""
    figure = read_script(SCRIPTS / f"{name}.corpus").dry_run().build_world().figure
    prefix = "roach/" if "roach/abdomen" in film.link_names else ""
    abdomen, frame = solid(figure, film, f"{prefix}abdomen")
    for side, sign in (("l", 1.0), ("r", -1.0)):
        tibia = placement(film, f"{prefix}leg_b{side}2")
        for y in sign * np.linspace(0.25, 1.0, 7) * 0.0141:
            point = frame.inverse @ (tibia @ Vector(0.0, y, 0.0))
            outside = [abs(x) - 0.5 * size for x, size in zip(point, abdomen.size, strict=True)]
            assert np.min(np.max(np.broadcast_arrays(*outside), axis=0)) > -1e-3, side


def placement(film: Film, link: str) -> Transform:
    """Return the pose of a link in all frames at once."""
    k = film.link_names.index(link)
    return Transform(Quaternion(*film.quaternion[:, 0, k].T).rotation(), Vector(*film.position[:, 0, k].T))


def solid(figure: Figure, film: Film, link: str) -> tuple[Any, Transform]:
    """Return the shape of a link with one part, and its pose in all frames at once."""
    (part,) = (part for part in figure.link(link).parts if part.colliding)
    return part.shape, placement(film, link) @ Transform(Rotation(part.rotation), Vector(*part.position))


def test_the_roach_falls_jumps_and_lands_on_its_feet(tmp_path):
    film = played("jump", tmp_path)
    time, height, push = film.time, film.signals["centre"][:, 0, 2], film.signals["push"][:, 0].sum(axis=-1)
    falling = time < 0.05
    np.testing.assert_allclose(height[falling], height[0] - 0.5 * STANDARD_GRAVITY * time[falling] ** 2, atol=1e-6)
    airborne = (time > 0.41) & (time < 0.6) & (push == 0.0)
    begin, end = time[airborne][[0, -1]]
    assert end - begin > 0.04
    assert height[airborne].max() - height[time < 0.4][-1] > 0.008  # it rises by most of its standing height
    free = (time > begin) & (time < begin + 0.03)
    assert 2.0 * np.polyfit(time[free], height[free], 2)[0] == pytest.approx(-STANDARD_GRAVITY, rel=0.02)
    assert upright(film)[-1] > 0.99
    assert push[-60:].mean() == pytest.approx(WEIGHT, rel=0.03)  # all of it rests on its feet
    assert_no_leg_passes_through("jump", film)
    assert_hind_tibiae_pass_the_abdomen("jump", film)


def test_with_its_middle_legs_backwards_the_roach_bounces_in_place(tmp_path):
    film = played("backward-legs", tmp_path)
    walking = film.time > 0.3
    way = np.ptp(film.position[walking][:, 0, 0, :2], axis=0)
    assert np.hypot(*way) / 0.8 < 0.055  # half of the 11 cm/s of the roach as it should be
    push = film.signals["push"][walking, 0].sum(axis=-1) / WEIGHT
    assert push.max() > 2.5
    assert (push < 0.05).mean() > 0.02
    assert_no_leg_passes_through("backward-legs", film)
    assert_hind_tibiae_pass_the_abdomen("backward-legs", film)


def test_in_free_space_the_legs_change_from_the_wave_gait_to_the_tripod(tmp_path):
    film = played("oscillator-wheel", tmp_path)
    assert np.ptp(film.signals["centre"][:, 0], axis=0).max() < 1e-5  # nothing acts from outside [m]
    steps = film.signals["stepping"][:, 0] > 0.5  # front, middle and back legs: left, right
    slow, fast = film.time < 0.9, film.time > 2.0
    assert steps[slow][:, 0::2].sum(axis=1).max() == 1  # one leg of a side at a time
    assert steps[slow][:, 1::2].sum(axis=1).max() == 1
    first = [film.time[np.argmax(steps[:, leg])] for leg in (4, 2, 0)]
    assert first == sorted(first)  # from back to front
    tripods = steps[fast][:, [0, 3, 4]], steps[fast][:, [1, 2, 5]]
    for tripod in tripods:
        assert (tripod == tripod[:, :1]).mean() > 0.95  # its legs step together
    assert (tripods[0][:, 0] != tripods[1][:, 0]).mean() > 0.95  # and the tripods in turn


def test_the_roach_twitches_in_its_pod_and_stands_up_with_each_foot_at_its_own_height(tmp_path):
    film = played("twitch", tmp_path)
    time, kinetic, height = film.time, film.signals["kinetic"][:, 0], film.position[:, 0, 0, 2]
    for twitch in (0.5, 0.75, 0.95):
        before, after = kinetic[np.argmin(abs(time - twitch + 0.01))], kinetic[(time > twitch) & (time < twitch + 0.05)]
        assert after.max() > 100.0 * before
    assert height[(time > 0.3) & (time < 0.5)].max() < 0.007  # it lies
    assert height[-1] > 0.015  # it stands
    assert upright(film)[-1] > 0.97
    assert kinetic[-1] < 1e-3 * kinetic.max()
    feet = film.signals["feet"][-1, 0]
    assert np.ptp(feet[:, 2]) > 0.001
    x, y, z = feet.T
    half_length = np.where(x > 0.0, 0.060, 0.048)  # of the pod: half an ellipsoid in front and another behind
    pod = 0.038 * (1.0 - np.sqrt(1.0 - (x / half_length) ** 2 - (y / 0.038) ** 2))
    np.testing.assert_allclose(z, pod, atol=0.0005)
    push = film.signals["push"][-60:, 0].sum(axis=-1).mean()
    assert push > WEIGHT  # feet lean against the slopes, so normal forces are larger than the weight


def test_on_slippery_ground_the_roach_throws_itself_onto_its_back(tmp_path):
    film = played("flip-over", tmp_path)
    time, up = film.time, upright(film)
    assert up[time < 0.52].min() > 0.85  # it runs on its feet
    assert up[time > 0.9].max() < -0.9  # and lies on its back
    assert film.signals["push"][time > 0.9, 0].sum(axis=-1).mean() < 0.05 * WEIGHT  # with its feet in the air
    sliding = (time > 0.3) & (time < 0.5)
    speed = np.gradient(film.signals["centre"][:, 0, 0], time)[sliding]
    lost = STANDARD_GRAVITY * 0.02 * 0.2  # all that friction of 0.02 can change in 0.2 s [m/s]
    assert abs(np.polyfit(time[sliding], speed, 1)[0] * 0.2) < 2.0 * lost
    assert_no_leg_passes_through("flip-over", film)
    assert_hind_tibiae_pass_the_abdomen("flip-over", film)


def test_the_roach_flips_off_a_wall(tmp_path):
    film = played("flip-off-wall", tmp_path)
    time, up, trunk = film.time, upright(film), film.position[:, 0, film.link_names.index("abdomen")]
    assert up[time < 0.51].min() > 0.85  # it walks on its feet
    head = trunk[:, 0].max() + 0.00815 + 0.01058 + 0.00268  # from the abdomen to the front of the head [m]
    assert head == pytest.approx(0.058, abs=0.002)  # as far as to the wall
    w, x, y, z = film.quaternion[:, 0, film.link_names.index("abdomen")].T
    assert (2.0 * (x * z - w * y)).max() > 0.8  # its front points up, steeper than 53 degrees
    assert up[time > 0.9].max() < -0.9  # it lies on its back
    assert trunk[-1, 0] < trunk[time < 0.51][-1, 0] - 0.03  # away from the wall
    assert_no_leg_passes_through("flip-off-wall", film)
    assert_hind_tibiae_pass_the_abdomen("flip-off-wall", film)


@pytest.mark.slow
def test_without_the_wall_the_same_kick_does_not_turn_the_roach_over(tmp_path):
    script = Path(copytree(SCRIPTS, tmp_path / "scripts")) / "flip-off-wall.corpus"
    text = script.read_text(encoding="utf-8")
    assert "move wall 0.06 0 0" in text
    script.write_text(text.replace("move wall 0.06 0 0", "move wall 0.5 0 0"), encoding="utf-8")
    film = read_script(script).run(tmp_path, echo=lambda line: None)
    assert upright(film).min() > 0.5


def test_the_roach_rights_itself_by_wrenches_of_its_body(tmp_path):
    film = played("right-itself", tmp_path)
    time, up, last = film.time, upright(film), film.time[-1] - 0.15
    assert up[(time > 0.05) & (time < 0.1)].max() < -0.7  # it lies on its back, within 45 degrees
    assert up[time > last].min() > 0.9  # and is on its feet
    assert film.signals["push"][time > last, 0].sum(axis=-1).max() > WEIGHT  # which bear it
    assert_no_leg_passes_through("right-itself", film)


def test_the_roach_rights_itself_from_eight_starts():
    """Joint angles differ by up to 3e-3 rad, which is more than enough for another course of the fall."""
    interp = read_script(SCRIPTS / "right-itself.corpus").dry_run()
    world = interp.build_world()
    state = start(world, 8, precision="float32")
    state.q[:] = interp.current_state().q[0]
    state.q[:, 7:] += np.random.default_rng(11).uniform(-3e-3, 3e-3, (8, state.q.shape[1] - 7))
    film = run(world, state, 3.0, rate=240.0)
    _, x, y, _ = np.moveaxis(film.quaternion[:, :, 0], -1, 0)
    up = 1.0 - 2.0 * (x**2 + y**2)
    assert up[12].max() < -0.7  # all lie on their backs
    assert up[film.time > 2.9].min() > 0.9  # and stand


@pytest.mark.slow
def test_the_roach_walks_through_wires_that_break_one_after_the_other(tmp_path):
    lines = list[str]()
    film = read_script(SCRIPTS / "wires.corpus").run(tmp_path, echo=lines.append)
    reported = [float(line.split()[0]) for line in lines if line.endswith("breaks")]
    lost, time = film.signals["sliding"][:, 0], film.time
    for wire, force in ((1, 0.008), (2, 0.025)):
        length = np.linalg.norm(tip(film, f"wire_l{wire}3", -0.012) - tip(film, f"wire_r{wire}3", 0.012), axis=1)
        longest = np.log(1.0 + force / 0.001) / 1500.0  # where the spring, ea 0.001 and eB 1500, has this force [m]
        k = int(np.argmax(length > longest))
        assert reported[wire - 1] == pytest.approx(time[k], abs=1e-6)
        assert length[:k].max() < longest
        # What the spring had stored is lost as it breaks, together with what feet lose then, as before and after. It
        # breaks at the end of a step of 1/2400 s, so it may have become longer meanwhile.
        stored = 0.001 * (np.expm1(1500.0 * longest) / 1500.0 - longest)
        feet = np.diff(lost)[[k - 3, k - 2, k, k + 1]]
        later = force * (length[k] - length[k - 1])  # [J]
        assert stored < lost[k] - lost[k - 1] < stored + later + feet.max()
    assert reported[0] < reported[1]
    trunk = film.position[-1, 0, [film.link_names.index(name) for name in ("abdomen", "thorax", "head")], 0]
    assert trunk.min() > 0.042 + 0.01  # all of it has passed the plane of the wires
    walking = (time > 0.55) & (time < 0.8)
    way = np.ptp(film.position[walking, 0, film.link_names.index("thorax"), 0])
    assert way / 0.25 == pytest.approx(0.11, rel=0.05)  # it walks on as fast as on open ground [m/s]
    assert upright(film)[1:].min() > 0.95
    exchanged = film.signals["motors"][-1, 0]
    assert abs(film.signals["unaccounted"][-1, 0]) < 1e-3 * exchanged
    assert_no_leg_passes_through("wires", film)
    assert_hind_tibiae_pass_the_abdomen("wires", film)


def tip(film: Film, link: str, y: float) -> np.ndarray:
    """Return the positions of a point on the y axis of a link in each frame (F, 3) [m]."""
    k = film.link_names.index(link)
    qw, qx, qy, qz = film.quaternion[:, 0, k].T
    axis = np.stack([2.0 * (qx * qy - qw * qz), 1.0 - 2.0 * (qx * qx + qz * qz), 2.0 * (qy * qz + qw * qx)], axis=1)
    return film.position[:, 0, k] + y * axis
