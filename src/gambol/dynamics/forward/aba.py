"""Forward dynamics by the articulated-body algorithm: inward for inertia and force, outward for acceleration.

    inward    I_P += X (I - U U^T / D) X^T      p_P += X (p + I' c + U x)      (through the joint: release.py)
    outward   a = X^-1 a_P + c                  v' = x - U.a / D               a += S v'

[McKenna 1990, appendix B, eq. 35-46; Featherstone 2008, table 7.1]. p starts as the force that a link's own motion
takes, less the external force. A joint whose acceleration is given lets nothing go: I' = I, p' = p + I S v', and the
force it took is S.(I a + p) [McKenna 1990, eq. 45; Featherstone 2008, section 9.2].
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gambol.dynamics.bodies import NOTHING, STANDARD_GRAVITY, Gravity, in_joint_axes, resting_frame, rigid_inertias
from gambol.dynamics.forward.release import Hold, Release, hold, release
from gambol.dynamics.kinematics import Kinematics
from gambol.dynamics.reframe import reframed
from gambol.figure.joint import Placement
from gambol.lanes import Scalar, seam
from gambol.spatial.inertia import Inertia, gyroscopic
from gambol.spatial.motion import Force
from gambol.spatial.vector import Vector


@dataclass(frozen=True, slots=True)
class _Felt:
    """What is felt of a link and all it carries, in its joint frame: whole, and through each direction let go."""

    inertia: Inertia
    bias: Force
    steps: list[Release | Hold]


def aba(
    state: Kinematics,
    tau: Sequence[Scalar],
    *,
    f_ext: Mapping[int, Force] = NOTHING,
    gravity: Gravity = STANDARD_GRAVITY,
    prescribed: Mapping[int, Sequence[Scalar]] = NOTHING,
) -> tuple[list[Scalar], dict[int, list[Scalar]]]:
    """Joint accelerations of a figure in a state, under given forces.

    tau: joint forces (nv) [N m or N]. f_ext: external force on a link, by its number, in link coordinates.
    gravity: its strength along -z, or the vector of free fall in world axes [m/s2].
    prescribed: joint accelerations that are given, by the number of the link.
    Returns the rates of v (nv), and for each prescribed link the joint force it took beyond tau.
    """
    lean = reframed(state.figure)
    inside = lean.state(state)
    given = {lean.numbers[i]: rates for i, rates in prescribed.items() if len(rates)}
    felt = _inward(inside, tau, lean.forces(f_ext), given)
    rates, taken = _outward(inside, tau, felt, gravity)
    return rates, {i: taken[lean.numbers[i]] if len(rates) else [] for i, rates in prescribed.items()}


def _inward(
    state: Kinematics, tau: Sequence[Scalar], f_ext: Mapping[int, Force], prescribed: Mapping[int, Sequence[Scalar]]
) -> dict[int, _Felt]:
    """What is felt of each link, from the leaves to the root."""
    felt: dict[int, _Felt] = {}
    rigid = rigid_inertias(state.figure)
    I, p = list(rigid), dict[int, Force]()

    def own(i: int) -> Force:
        bias = gyroscopic(rigid[i], state.velocities[i].w)
        return bias - f_ext[i] if i in f_ext else bias

    for link in state.figure.inward():
        seam()
        i, parent, joint = link.index, link.parent_index, state.joints[link.index]
        whole = in_joint_axes(I[i], joint), joint.to_joint(p[i] if i in p else own(i))
        steps = _through(link.joint.armature, whole, joint, tau[link.v], prescribed.get(i))
        felt[i] = _Felt(*whole, steps)
        last = steps[-1] if steps else felt[i]
        bias = last.inertia.times(state.drifts[i], onto=last.bias)
        inertia = _in_parent_axes(last.inertia, joint)
        I[parent] += inertia.shifted(joint.X_PJ.position)
        onto = p[parent] if parent in p else own(parent)
        p[parent] = _carried_in(bias, inertia, joint, state.swings[i], onto)
    return felt


def _outward(
    state: Kinematics, tau: Sequence[Scalar], felt: Mapping[int, _Felt], gravity: Gravity
) -> tuple[list[Scalar], dict[int, list[Scalar]]]:
    """Accelerations from the root to the leaves, and what held joints took."""
    figure = state.figure
    a = [resting_frame(gravity)] * len(state.joints)
    rates: list[Scalar] = [0.0] * figure.nv
    taken: dict[int, list[Scalar]] = {}
    for link in figure.outward():
        seam()
        i, joint = link.index, state.joints[link.index]
        motion = state.carried(i, a[link.parent_index])
        for k, step in reversed(list(enumerate(felt[i].steps))):
            rates[link.v.start + k], motion = step.accelerated(motion)
        a[i] = joint.to_link(motion)
        if any(isinstance(step, Hold) for step in felt[i].steps):
            force = felt[i].inertia.times(motion, onto=felt[i].bias)
            rotor = link.joint.armature
            borne = [S.dot(force, rotor * x) for S, x in zip(joint.columns, rates[link.v], strict=True)]
            taken[i] = [f - t for f, t in zip(borne, tau[link.v], strict=True)]
    return rates, taken


def _through(
    armature: Scalar,
    felt: tuple[Inertia, Force],
    joint: Placement,
    tau: Sequence[Scalar],
    given: Sequence[Scalar] | None,
) -> list[Release | Hold]:
    """The directions of a joint, let go or held one after the other, as inertia and bias are felt through them."""
    steps: list[Release | Hold] = []
    inertia, bias = felt
    for k, S in enumerate(joint.columns):
        step = release(inertia, bias, S, tau[k], armature) if given is None else hold(inertia, bias, S, given[k])
        inertia, bias = step.inertia, step.bias
        steps.append(step)
    return steps


def _in_parent_axes(inertia: Inertia, joint: Placement) -> Inertia:
    for turn in reversed(joint.outer):
        inertia = inertia.rotated(turn)
    return inertia


def _carried_in(bias: Force, inertia: Inertia, joint: Placement, swing: Vector, onto: Force) -> Force:
    """onto + the bias force in the parent's frame, with that of the swing; inertia: in the parent's axes."""
    R, r = joint.X_PJ.rotation, joint.X_PJ.position
    f = inertia.M.times(swing, R @ bias.f)
    n = inertia.H.times(swing, R.times(bias.n, onto.n))
    return Force(n.plus_cross(r, f), onto.f + f)
