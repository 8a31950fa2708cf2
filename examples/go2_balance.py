"""Go2 balances by torques alone: its centre of mass follows a circle that is tilted, also after a push.

    m (c'' + g) = sum f        sum (p - c) x f = L'        tau = b - sum J^T f        f = sum x_k e_k, x_k >= 0

The wanted acceleration c'' is that of the circle, with a spring and a damper towards it; L' brings the trunk back to
level. Both are realised as well as possible by forces f on four feet at p [Kim et al. 2019, without its joint
accelerations]. Feet can only push, and do not slip: f is a sum of pushes along the edges e_k of a pyramid of friction.
So the forces are a least squares problem with numbers x of 0 or more, which SciPy solves [Lawson and Hanson 1974].
Jacobians J, bias forces b and the Jacobian of the centre of mass, which are rows of the mass matrix, are gambol's. The
robot's file comes from the package example-robot-data.
"""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy.optimize import nnls

import gambol

FEET = ("FL_foot", "FR_foot", "RL_foot", "RR_foot")
RADIUS, PERIOD = 0.04, 2.0  # of the circle, which is tilted: it goes up and down, too [m, s]
STIFFNESS, DAMPING = 80.0, 16.0  # of the centre of mass, over the mass [1/s2, 1/s]
UPRIGHT, TURNING = 80.0, 6.0  # spring and damper of the trunk's rotation [N m/rad, N m s/rad]
RATE, SECONDS = 500.0, 6.0
REACH = 0.2  # of the feet from the centre of mass, by which moments become forces [m]
FOOT = 0.022  # radius of a foot [m]
FRICTION = 0.5  # that the law relies on; the ground has 0.8
REGULARISATION = 1e-3  # weight of the pushes, so that the load is shared
PUSH, PUSHED_AT, PUSH_TIME = 0.25, 2.5, 0.1  # to the left, over the weight, at 2.5 s for 0.1 s
SLOPE = FRICTION * 0.5**0.5  # of the edges of a pyramid inside the cone of friction
EDGES = np.array([[a * SLOPE, b * SLOPE, 1.0] for a in (-1, 1) for b in (-1, 1)]).T  # (3, 4)


def robot_file() -> Path:
    """Return the path of Go2's URDF."""
    share = Path("cmeel.prefix/share/example-robot-data/robots/go2_description/urdf/go2.urdf")
    return next(Path(p) / share for p in sys.path if (Path(p) / share).is_file())


def cross(x: np.ndarray) -> np.ndarray:
    """Return the matrix of x cross."""
    return np.array([[0.0, -x[2], x[1]], [x[2], 0.0, -x[0]], [-x[1], x[0], 0.0]])


def circle(time: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the wanted displacement, velocity and acceleration of the centre of mass; it starts at rest."""
    w = 2.0 * np.pi / PERIOD
    s, rate, speeding = time - 0.25 * PERIOD, 1.0, 0.0  # time along the circle; the first half period it speeds up
    if time < 0.5 * PERIOD:
        s, rate = 0.5 * (time - np.sin(w * time) / w), 0.5 * (1.0 - np.cos(w * time))
        speeding = 0.5 * w * np.sin(w * time)
    c, along = np.array([np.cos(w * s) - 1.0, np.sin(w * s), 0.5 * np.sin(w * s)]), np.zeros(3)
    along[:] = -np.sin(w * s), np.cos(w * s), 0.5 * np.cos(w * s)
    towards = np.array([-np.cos(w * s), -np.sin(w * s), -0.5 * np.sin(w * s)])
    return RADIUS * c, RADIUS * w * rate * along, RADIUS * (w * speeding * along + (w * rate) ** 2 * towards)


def standing(figure: gambol.Figure) -> np.ndarray:
    """Return coordinates with bent legs, the feet on the ground."""
    q = np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, *(0.0, 0.8, -1.5) * 4])
    q[6] = FOOT - gambol.kinematics(figure, q).position[[figure.link(name).index - 1 for name in FEET], 2].min()
    return q


class Balance:
    """The law: a function of time, coordinates and velocities of one world that returns the torques of 12 motors."""

    def __init__(self, figure: gambol.Figure, q: np.ndarray) -> None:
        self.figure, self.dynamics, self.home = figure, gambol.Dynamics(figure), gambol.centre_of_mass(figure, q)

    def __call__(self, time: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Return the torques [N m]."""
        w, *u = q[:4]
        R = np.eye(3) + 2.0 * (w * cross(np.array(u)) + cross(np.array(u)) @ cross(np.array(u)))
        c = gambol.centre_of_mass(self.figure, q)
        velocity = R @ (self.dynamics.mass_matrix(q)[3:6] @ v) / self.figure.mass
        wanted, speed, acceleration = circle(time)
        pull = STIFFNESS * (self.home + wanted - c) + DAMPING * (speed - velocity)
        force = self.figure.mass * (acceleration + pull + np.array([0.0, 0.0, 9.81]))
        turned = np.array([R[2, 1], -R[2, 0], R[1, 0]])  # small angles from level and from the heading along x
        moment = -UPRIGHT * turned - TURNING * (R @ v[:3])
        place = gambol.kinematics(self.figure, q).position
        at = [place[self.figure.link(name).index - 1] for name in FEET]
        A = np.block([[np.eye(3)] * 4, [cross(p - c) / REACH for p in at]]) @ np.kron(np.eye(4), EDGES)
        wanted_wrench = np.concatenate([force, moment / REACH])
        pushes = nnls(np.vstack([A, REGULARISATION * np.eye(16)]), np.concatenate([wanted_wrench, np.zeros(16)]))[0]
        forces = pushes.reshape(4, 4) @ EDGES.T
        tau = self.dynamics.bias(q, v)
        for name, f in zip(FEET, forces, strict=True):
            tau -= self.dynamics.jacobian(q, name)[3:].T @ f
        return tau[6:]


def main() -> None:
    model = replace(gambol.read_urdf(robot_file(), "free", visuals=False), ground=True)
    timing = gambol.Timing(1.0 / RATE, 0.5 / RATE, "semi-implicit euler")
    weight = model.figure.mass * 9.81
    push = gambol.Push((0.0, PUSH * weight, 0.0), PUSHED_AT, PUSHED_AT + PUSH_TIME)
    options = {"contact": "stepping", "timing": timing, "pairs": (), "external": gambol.External(push=push)}
    world = gambol.make_world(model, actuators=True, unlimited=1e3, **options)
    state = gambol.start(world)
    state.q[:] = standing(world.figure)
    law = Balance(world.figure, state.q[0].astype(float))
    film = gambol.run(world, state, SECONDS, rate=50.0, control=law, control_rate=RATE, coordinates=True)
    rows = zip(film.time, film.signals["q"][:, 0], strict=True)
    away = np.array([np.linalg.norm(law.home + circle(t)[0] - gambol.centre_of_mass(world.figure, q)) for t, q in rows])
    before, last = film.time < PUSHED_AT, film.time > SECONDS - 1.0
    print(f"its centre of mass is off the circle by {1e3 * away[before].max():.1f} mm at most before the push,")
    print(f"by {1e3 * away.max():.0f} mm after a push of {PUSH:.0%} of the weight for {PUSH_TIME:g} s,")
    print(f"and by {1e3 * away[last].max():.1f} mm in the last second")
    assert away[before].max() < 0.15 * RADIUS
    assert away[last].max() < 0.15 * RADIUS, "it is on the circle again"
    assert film.quaternion[-1, 0, 0, 0] > 0.999, "it is upright"
    Path("out").mkdir(exist_ok=True)
    gambol.write_page(film, "out/go2_balance.html")


if __name__ == "__main__":
    main()
