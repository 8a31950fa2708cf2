"""A heap of ragdolls: limp figures with limited joints fall onto each other; limits and the energy ledger hold."""

import numpy as np

from gambol.figure import Capsule, Figure, Joint, JointSpring, Link, Part, Sphere
from gambol.rigid import LinkedBodies, Pile, PileState, PileStepper, SurfaceMaterial, initial_state, linked_bodies

SIDES = {"left": 1.0, "right": -1.0}
PITCH, SIDEWAYS = (0.0, 1.0, 0.0), ((1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, 1.0, 0.0))  # z of a part along y
COLORS = {"shirt": "#3f6fa0", "skin": "#d8a47f", "trousers": "#4d4f5c"}


def ragdoll(name: str) -> Figure:
    """Return a person of eleven links, 1.7 m tall: limbs are capsules, the trunk is several."""

    def limb(radius: float, length: float, color: str) -> tuple[Part, ...]:
        return (Part(Capsule(radius, length), (0.0, 0.0, -length / 2.0), color=COLORS[color]),)

    def ball(x: float, y: float, z: float) -> Joint:
        return Joint("spherical", position=(x, y, z))

    def hinge(z: float) -> Joint:
        return Joint("revolute", PITCH, position=(0.0, 0.0, z))

    pelvis = (Part(Capsule(0.1, 0.16), rotation=SIDEWAYS, color=COLORS["trousers"]),)
    ribs = Part(Capsule(0.12, 0.12), (0.0, 0.0, 0.24), SIDEWAYS, color=COLORS["shirt"])
    waist = Part(Capsule(0.1, 0.12), (0.0, 0.0, 0.1), color=COLORS["shirt"])
    links = [
        Link("pelvis", None, Joint("free"), pelvis),
        Link("chest", "pelvis", ball(0.0, 0.0, 0.1), (ribs, waist)),
        Link("head", "chest", ball(0.0, 0.0, 0.38), (Part(Sphere(0.11), (0.0, 0.0, 0.12), color=COLORS["skin"]),)),
    ]
    for side, y in SIDES.items():
        links += [
            Link(f"{side} upper arm", "chest", ball(0.0, 0.21 * y, 0.27), limb(0.05, 0.26, "shirt")),
            Link(f"{side} forearm", f"{side} upper arm", hinge(-0.3), limb(0.04, 0.26, "skin")),
            Link(f"{side} thigh", "pelvis", ball(0.0, 0.11 * y, -0.06), limb(0.08, 0.34, "trousers")),
            Link(f"{side} shank", f"{side} thigh", hinge(-0.42), limb(0.055, 0.36, "trousers")),
        ]
    return Figure(name, tuple(links))


CONES = {"chest": 0.5, "head": 0.7, "upper arm": 1.4, "thigh": 1.2}  # largest angles of spherical joints [rad]
HINGES = {"forearm": (-2.4, 0.0), "shank": (0.0, 2.3)}  # limits of elbows and knees [rad]


def limits() -> dict[str, JointSpring]:
    """Return the limits and dampers of all joints by link name."""
    result = {
        "chest": JointSpring(upper=CONES["chest"], damping=4.0),
        "head": JointSpring(upper=CONES["head"], damping=1.0),
    }
    for side in SIDES:
        for part in ("upper arm", "thigh"):
            result[f"{side} {part}"] = JointSpring(upper=CONES[part], damping=1.0)
        for part, (lower, upper) in HINGES.items():
            result[f"{side} {part}"] = JointSpring(lower=lower, upper=upper, damping=0.5)
    return result


def heap(count: int, step: float = 2e-3) -> tuple[Pile, PileState, list[LinkedBodies]]:
    """Return a pile of ragdolls and its initial state: two columns of figures above each other, turned at random."""
    rng = np.random.default_rng(3)
    linked = [
        linked_bodies(ragdoll(f"doll {k}"), first=1 + 11 * k, springs=limits(), self_contact=True) for k in range(count)
    ]
    states = []
    for k, one in enumerate(linked):
        axis = rng.normal(size=3)
        half = 0.5 * rng.uniform(0.3, 2.8)
        turn = [np.cos(half), *(np.sin(half) * axis / np.linalg.norm(axis))]
        q = np.zeros(one.figure.nq)
        q[:7] = [*turn, 0.9 * (k % 2), 0.2 * (k % 3), 1.2 + 0.75 * k]
        q[[one.figure.link(link.name).q.start for link in one.figure.links if link.joint.kind == "spherical"]] = 1.0
        states.append(one.state(q, np.zeros(one.figure.nv)))
    joints = linked[0].joints.joined(*(one.joints for one in linked[1:]))
    bodies = [body for one in linked for body in one.bodies]
    pile = Pile(bodies, surface=SurfaceMaterial(friction=0.6), joints=joints, step=step)
    return pile, initial_state(pile, *(np.concatenate(parts) for parts in zip(*states, strict=True))), linked


def beyond_limits(one: LinkedBodies, state: PileState) -> float:
    """Return by how much the joint of a figure that is farthest beyond its limits is so [rad]; below 0: none is."""
    q = one.coordinates(state)[0]
    excess = []
    for name, spring in limits().items():
        link = one.figure.link(name)
        own = q[link.q]
        if link.joint.kind == "spherical":
            excess.append(2.0 * np.arccos(min(1.0, abs(own[0]))) - spring.upper)
        else:
            excess += [own[0] - spring.upper, spring.lower - own[0]]
    return float(max(excess))


def main(count: int = 4, seconds: float = 1.6) -> None:
    pile, state, linked = heap(count)
    stepper = PileStepper(pile)
    initial_energy = stepper.energy(state)
    for _ in range(4):
        state = stepper.advance(state, round(seconds / 4.0 / pile.step))
        ledger, energy = state.ledger, stepper.energy(state)
        farthest = max(beyond_limits(one, state) for one in linked)
        print(
            f"{state.time:.1f} s: {energy:.0f} J; lost: friction {-ledger.friction:.0f}, impact {-ledger.impact:.0f}, "
            f"dampers {-ledger.damping:.0f}, limits {-ledger.limits:.0f}; {len(state.cache.keys)} contacts, "
            f"{state.sweeps} sweeps; farthest from a limit: {np.degrees(farthest):.2f} degrees"
        )
        assert abs(energy - initial_energy - ledger.total) < 1e-6 * initial_energy, "the ledger does not balance"
        assert farthest < np.radians(3.0), "a joint is beyond its limits"
    assert state.position[2, 1:].min() > 0.0, "a body is below the ground"


if __name__ == "__main__":
    main()
