"""Go2 trots at half a metre per second by torques from a law of one's own, after Raibert, with our Jacobians.

    swing:    foot to  hip + T v / 2 + k (v - v*)            T: duration of a stance [s]    [Raibert 1986, chapter 6]
    stance:   sum f = m (g + a*)   sum r x f = n*            f: forces of the two feet that stand
    torques:  tau = -J^T f, or J^T of a spring that pulls the foot that swings

The robot's file comes from the package example-robot-data. The law is plain NumPy, called 500 times per second.
"""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

import gambol

FEET = ("FL_foot", "FR_foot", "RL_foot", "RR_foot")
DIAGONAL = np.array([0, 1, 1, 0])  # which pair of feet each belongs to
SPEED, HEIGHT = 0.5, 0.30  # wanted speed along x [m/s], height of the trunk [m]
STANCE, LIFT = 0.18, 0.07  # duration of a step [s], height of a foot that swings [m]
PLACEMENT = 0.06  # k of Raibert's foot placement [s]
SPRING, DAMPER = 600.0, 15.0  # of a foot that swings [N/m, N s/m]
FRICTION, SECONDS, RATE = 0.6, 6.0, 500.0
RADIUS = 0.022  # of a foot [m]


def robot_file() -> Path:
    """Return the path of Go2's URDF."""
    share = Path("cmeel.prefix/share/example-robot-data/robots/go2_description/urdf/go2.urdf")
    return next(Path(p) / share for p in sys.path if (Path(p) / share).is_file())


class Trot:
    """The law of a trot: a function of time, coordinates and velocities of one world that returns 12 torques."""

    def __init__(self, figure: gambol.Figure, q: np.ndarray) -> None:
        self.figure, self.dynamics = figure, gambol.Dynamics(figure)
        self.mass, self.hips = figure.mass, self.feet(q)[0] - q[4:7]

    def feet(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return positions (4, 3) [m] and Jacobians (4, 3, nv) of the feet, in world axes."""
        place = gambol.kinematics(self.figure, q).position
        at = np.array([place[self.figure.link(name).index - 1] for name in FEET])
        return at, np.array([self.dynamics.jacobian(q, name)[3:] for name in FEET])

    def __call__(self, time: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Return the torques [N m]."""
        R = rotation(q[:4])
        at, J = self.feet(q)
        speed, phase = R @ v[3:6], int(time / STANCE)
        swinging = phase % 2 == DIAGONAL
        tau = self.dynamics.bias(q, v)
        for k in np.flatnonzero(swinging):
            tau += J[k].T @ self.swing(k, time / STANCE - phase, (q, at[k], J[k] @ v), (R, speed))
        standing = np.flatnonzero(~swinging)
        for k, force in zip(standing, self.stance(at[standing] - q[4:7], (q, v), (R, speed)), strict=True):
            tau -= J[k].T @ force
        return tau[6:]

    def swing(self, k: int, s: float, foot: tuple, trunk: tuple) -> np.ndarray:
        """Return the force that pulls foot k at a part s of its swing, towards its path to the place of landing."""
        (q, at, velocity), (R, speed) = foot, trunk
        heading = np.array([[R[0, 0], -R[1, 0]], [R[1, 0], R[0, 0]]]) / np.hypot(R[0, 0], R[1, 0])
        hip = q[4:6] + heading @ self.hips[k, :2]
        lifted = hip - (0.5 + s) * STANCE * speed[:2]  # where the foot left the ground, in a steady trot
        landing = hip + 0.5 * STANCE * speed[:2] + PLACEMENT * (speed[:2] - (SPEED, 0.0))
        goal = np.array([*(lifted + s * (landing - lifted)), 0.0])
        goal[2] = RADIUS + LIFT * np.sin(np.pi * s) - 0.01 * s
        return SPRING * (goal - at) + DAMPER * (np.array([*speed[:2], 0.0]) - velocity)

    def stance(self, r: np.ndarray, state: tuple, trunk: tuple) -> np.ndarray:
        """Return the forces of the ground on standing feet; r: from the trunk to them."""
        (q, v), (R, speed) = state, trunk
        a = np.array([4.0 * (SPEED - speed[0]), 4.0 * -speed[1], 200.0 * (HEIGHT - q[6]) - 20.0 * speed[2]])
        force = self.mass * (a + np.array([0.0, 0.0, 9.81]))
        turned = np.array([R[2, 1], -R[2, 0], R[1, 0]])  # small angles from level and from the heading along x
        torque = -np.array([60.0, 90.0, 30.0]) * turned - np.array([3.0, 5.0, 2.0]) * (R @ v[:3])
        A = np.block([[np.eye(3)] * len(r), [cross(x) for x in r]]).reshape(6, -1) if len(r) else np.zeros((6, 0))
        f = np.linalg.lstsq(np.vstack([A, 1e-3 * np.eye(A.shape[1])]), np.r_[force, torque, np.zeros(A.shape[1])])[0]
        f = f.reshape(-1, 3)
        f[:, 2] = f[:, 2].clip(5.0)
        f[:, :2] = f[:, :2].clip(-FRICTION * f[:, 2:], FRICTION * f[:, 2:])
        return f


def rotation(quaternion: np.ndarray) -> np.ndarray:
    """Return the rotation matrix of a unit quaternion (w, x, y, z)."""
    w, x, y, z = quaternion
    return np.eye(3) + 2.0 * (w * cross(np.array([x, y, z])) + cross(np.array([x, y, z])) @ cross(np.array([x, y, z])))


def cross(x: np.ndarray) -> np.ndarray:
    """Return the matrix of x cross."""
    return np.array([[0.0, -x[2], x[1]], [x[2], 0.0, -x[0]], [-x[1], x[0], 0.0]])


def standing(figure: gambol.Figure) -> np.ndarray:
    """Return coordinates with bent legs, the feet on the ground."""
    q = np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, *(0.0, 0.8, -1.5) * 4])
    q[6] = RADIUS - gambol.kinematics(figure, q).position[[figure.link(name).index - 1 for name in FEET], 2].min()
    return q


def main() -> None:
    model = replace(gambol.read_urdf(robot_file(), "free", visuals=False), ground=True)
    timing = gambol.Timing(1.0 / RATE, 0.5 / RATE, "semi-implicit euler")
    world = gambol.make_world(
        model, actuators=True, unlimited=1e3, contact="stepping", timing=timing, pairs=()
    )  # fmt: skip
    state = gambol.start(world)
    state.q[:] = standing(world.figure)
    law = Trot(world.figure, state.q[0].copy())
    film = gambol.run(world, state, SECONDS, rate=50.0, control=law, control_rate=RATE)
    late = film.time > 2.0
    x, y, z = film.position[late, 0, 0].T
    speed = (x[-1] - x[0]) / (film.time[-1] - film.time[late][0])
    print(f"trots at {speed:.2f} m/s, trunk between {z.min():.3f} and {z.max():.3f} m high, {y[-1]:+.2f} m to the left")
    Path("out").mkdir(exist_ok=True)
    gambol.write_page(film, "out/go2_trot.html")
    assert abs(speed - SPEED) < 0.1, "it trots as fast as it shall"
    assert HEIGHT - 0.02 < z.min() <= z.max() < HEIGHT + 0.02, "it keeps its height"
    assert abs(y[-1]) < 0.2, "it goes straight"


if __name__ == "__main__":
    main()
