"""Synthetic films for the tests of view: a hexapod of boxes in a tripod gait, in real size, with no physics at all."""

import numpy as np

from gambol.world.film import Film, FilmGround, FilmShape

LEGS = ("fl", "ml", "bl", "fr", "mr", "br")
BODY = {
    "abdomen": (0.0, 0.0163, 0.0125, 0.00706),
    "thorax": (0.0134, 0.0106, 0.00875, 0.00529),
    "head": (0.0202, 0.00265, 0.0025, 0.00635),
}  # x of the centre, then edge lengths [m]; 2.9 cm end to end
SEGMENTS = {
    "coxa": (0.0049, 0.0021),
    "femur": (0.006, 0.0011),
    "tibia": (0.0065, 0.00053),
    "tarsus": (0.0018, 0.00035),
}  # length, thickness [m]
HIPS = {"f": (0.0175, 0.6), "m": (0.0135, 0.0), "b": (0.0095, -0.7)}  # x of the hip [m], splay forward [rad]
HEIGHT = 0.008  # of the trunk's middle above the ground [m]
TRIPOD = {"fl": 0.0, "mr": 0.0, "bl": 0.0, "fr": 0.5, "ml": 0.5, "br": 0.5}  # phase as a share of the stride


def hexapod_film(*, seconds=1.0, rate=1200.0, worlds=1, stride=0.1, speed=0.08, hills=False):
    """A film of a walking hexapod of boxes: 27 links, 6 legs, signals "stepping" (F, W, 6)."""
    time = np.arange(round(seconds * rate) + 1) / rate
    names = tuple(BODY) + tuple(f"{s}_{leg}" for leg in LEGS for s in SEGMENTS)
    shapes = tuple(_shapes())
    F, L = len(time), len(names)
    position, quaternion = np.zeros((F, worlds, L, 3)), np.zeros((F, worlds, L, 4))
    stepping = np.zeros((F, worlds, len(LEGS)))
    for w in range(worlds):
        p, R, stepping[:, w] = _walk(time + 0.013 * w, stride, speed)
        p[..., 0] -= speed * 0.013 * w
        p[..., 1] += 0.05 * w
        position[:, w], quaternion[:, w] = p, _quaternions(R)
    ground = FilmGround()
    if hills:
        x, y = np.meshgrid(np.arange(60) * 0.004, np.arange(40) * 0.004, indexing="ij")
        ground = FilmGround(0.0015 * np.sin(x / 0.012) * np.cos(y / 0.009), -0.06, -0.08, 0.004)
    return Film("hexapod", time, position, quaternion, names, shapes, LEGS, ground, {"stepping": stepping})


def _shapes():
    for i, size in enumerate(BODY.values()):
        yield FilmShape(i, "box", size[1:], (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))
    for leg in range(len(LEGS)):
        for j, (length, thick) in enumerate(SEGMENTS.values()):
            link = len(BODY) + leg * len(SEGMENTS) + j
            yield FilmShape(link, "box", (length, thick, thick), (length / 2, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))


def _walk(time, stride, speed):
    """Positions (F, L, 3), rotations (F, L, 3, 3) and stepping (F, 6) of one hexapod whose feet reach out and swing."""
    sway = 0.06 * np.sin(2 * np.pi * time / stride)
    trunk = _turn(sway, np.zeros_like(time))
    origin = np.stack([speed * time, 0.0006 * np.sin(2 * np.pi * time / stride), np.full_like(time, HEIGHT)], -1)
    p = [origin + trunk @ np.array([x, 0.0, 0.0]) for x, *_ in BODY.values()]
    R = [trunk] * len(BODY)
    stepping = np.zeros((len(time), len(LEGS)))
    for i, leg in enumerate(LEGS):
        phase = (time / stride + TRIPOD[leg]) % 1.0
        step = phase < 0.5
        stepping[:, i] = step
        swing = -0.28 * np.cos(2 * np.pi * phase)
        lift = np.where(step, np.sin(2 * np.pi * phase), 0.0) * 0.35
        side = 1.0 if leg.endswith("l") else -1.0
        x, splay = HIPS[leg[0]]
        yaw = sway + side * (np.pi / 2 - splay - swing)
        hip = origin + trunk @ np.array([x, side * 0.0035, -0.0015])
        for pitch, (length, _) in zip((0.25, -0.35, 1.05, 1.25), SEGMENTS.values(), strict=True):
            rotation = _turn(yaw, pitch - lift)
            p.append(hip)
            R.append(rotation)
            hip = hip + length * rotation[..., 0]
    return np.stack(p, 1), np.stack(R, 1), stepping


def _turn(yaw, pitch):
    """Rotation about z by yaw after rotation about y by pitch (positive pitch points x down): (F, 3, 3)."""
    c, s, C, S = np.cos(yaw), np.sin(yaw), np.cos(pitch), np.sin(pitch)
    return np.stack(
        [np.stack([c * C, -s, c * S], -1), np.stack([s * C, c, s * S], -1), np.stack([-S, np.zeros_like(c), C], -1)], -2
    )


def _quaternions(R):
    from scipy.spatial.transform import Rotation

    xyzw = Rotation.from_matrix(R.reshape(-1, 3, 3)).as_quat()
    return np.roll(xyzw, 1, axis=-1).reshape(*R.shape[:-2], 4)
