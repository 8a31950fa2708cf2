"""Random MJCF files, with all features that a tree of bodies may have."""

import numpy as np
from numpy.typing import NDArray

Random = np.random.Generator
JOINTS = ("hinge", "slide", "ball")


def numbers(values: NDArray[np.float64] | list[float]) -> str:
    return " ".join(repr(float(x)) for x in values)


def random_mjcf(seed: int, bodies: int = 7) -> str:
    """Return the text of an MJCF file: trees of bodies with up to three joints each, with random properties."""
    random = np.random.default_rng(seed)
    inside: dict[int, list[int]] = {k: [] for k in range(bodies + 1)}
    for body in range(1, bodies + 1):
        on_world = body == 1 or random.random() < 0.1
        inside[0 if on_world else int(random.integers(1, body))].append(body)
    children = "".join(_body(body, inside, random, root=True) for body in inside[0])
    gravity = numbers(random.normal(size=3))
    return f"""<mujoco><compiler angle="radian"/><option gravity="{gravity}"/>
<worldbody>{children}</worldbody></mujoco>"""


def _body(body: int, inside: dict[int, list[int]], random: Random, *, root: bool) -> str:
    free = root and random.random() < 0.5
    joints = "<freejoint/>" if free else "".join(_joints(body, random))
    A = random.normal(size=(3, 8))
    I = np.trace(A @ A.T) * np.eye(3) - A @ A.T
    full = numbers([I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]])
    mass = f'<inertial pos="{numbers(random.normal(size=3))}" mass="{1.0 + random.random()}" fullinertia="{full}"/>'
    place = f'pos="{numbers(random.normal(size=3))}" quat="{numbers(random.normal(size=4))}"'
    children = "".join(_body(child, inside, random, root=False) for child in inside[body])
    return f'<body name="b{body}" {place}>{joints}{mass}{children}</body>'


def _joints(body: int, random: Random) -> list[str]:
    elements: list[str] = []
    count = int(random.integers(0, 4))
    for number in range(count):
        kind = JOINTS[random.integers(3 if number == count - 1 else 2)]  # nothing turns after a ball
        ref = "" if kind == "ball" else f' ref="{random.normal()}" springref="{random.normal()}"'
        elements.append(
            f'<joint name="j{body}{number}" type="{kind}" axis="{numbers(random.normal(size=3))}"{ref}'
            f' pos="{numbers(random.normal(size=3))}" armature="{random.random()}" damping="{random.random()}"'
            f' stiffness="{random.random()}"/>'
        )
    return elements
