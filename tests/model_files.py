"""Models with all features of figure files: two texts, and random ones."""

from dataclasses import replace

import numpy as np

from gambol.figure import Closure, JointSpring, random_figure, random_state, rotation_about, spring_slices
from gambol.formats import Model, Motor

HOPPER = """format = "gambol figure 1"
name = "hopper"
ground = true
gravity = [0, 0, -1.6]  # on the moon

[[links]]
name = "trunk"
joint = { kind = "free" }
parts = [{ shape = "box", size = [0.3, 0.2, 0.1], density = 500 }]

[[links]]
name = "thigh"
parent = "trunk"
mass = { mass = 1.5, com = [0, 0, -0.2], inertia = [0.02, 0.02, 0.001] }

[links.joint]
kind = "revolute"
axis = [0, 1, 0]
position = [0, 0, -0.05]
turns_deg = [["y", 90], ["x", 30]]

[links.springs]
stiffness = 3
lower = -1
upper = 0.5

[[links]]
name = "hand"
parent = "trunk"
joint = { kind = "cylindrical", axis_angle = [0, 0, 2, 0.5] }
springs = [
    { damping = 0.1 },
    { friction = 2, scale = "mass" },
]

[links.mass]
mass = 0.1
inertia = [1e-3, 2e-3, 2.5e-3, 1e-5, 2e-5, 3e-5]

[[constraints]]
kind = "point"
link = "thigh"
other = "hand"
other_position = [0, 0, 0.3]
other_quaternion = [0.6, 0, 0.8, 0]

[[constraints]]
kind = "coupling"
joint = "thigh"
coefficients = 0.1

[[motors]]
name = "hip"
joint = "thigh"
kind = "position"
gain = 20
gear = 2

[start.q]
thigh = 0.3
hand = [0.1, 0.2]

[start.v]
trunk = [0, 0, 1, 2, 0, 0]
"""

TOY = """format = "gambol figure 1"
name = "toy"
apart = [["stone", "egg"]]
paired = [["stone", "arm"]]

[[links]]
name = "stone"
joint = { kind = "free" }

[[links.parts]]
shape = "hull"
vertices = [[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]]
friction = 0.3
restitution = 0.5
group = 2
mask = 3

[[links]]
name = "arm"
parent = "stone"
joint = { kind = "revolute" }
parts = [{ shape = "ellipsoid", radii = [0.1, 0.02, 0.02] }]

[[links]]
name = "egg"
parent = "arm"
joint = { kind = "fixed", position = [0.1, 0, 0] }
parts = [{ shape = "ellipsoid", radii = [0.01, 0.02, 0.03], colliding = false }]
"""


def random_model(seed: int) -> Model:
    """Return a random model with springs, motors, constraints and an initial state."""
    random = np.random.default_rng(seed)
    figure = random_figure(seed, links=int(random.integers(2, 9)), rotors=0.5, root="free")
    last = figure.links[-1].name
    tilted = rotation_about([1.0, 2.0, 0.3], 0.7)
    closures = (
        Closure("hinge", last, "link0", (0.1, 0.2, 0.3), tilted, (-0.1, 0.0, -0.0), tilted),
        Closure("distance", last, None, length=float(random.uniform())),
    )
    springs = {
        link.name: tuple(
            JointSpring(stiffness=float(random.uniform()), friction=0.1, lower=-0.5, limit_damping=0.1, scale="mass")
            for _ in spring_slices(link.joint.kind)
        )
        for link in figure.links
        if random.random() < 0.5
    }
    moving = [link for link in figure.links if link.v.stop > link.v.start]
    motors = tuple(
        Motor(
            f'motor "{k}"', link.name, "position", tuple(random.normal(size=link.v.stop - link.v.start)), 3.0, upper=1.0
        )
        for k, link in enumerate(moving)
    )
    q, v = random_state(figure, seed)
    gravity = tuple(float(x) for x in random.normal(size=3))
    notes = ('a note with "quotes", \\ and \x7f\n', "çà ≠ 𝄞")
    return Model(
        replace(figure, constraints=closures), springs, motors, tuple(q), tuple(v), gravity, seed % 2 == 0, notes
    )
