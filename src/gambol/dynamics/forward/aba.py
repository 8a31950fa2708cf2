"""Forward dynamics by the articulated-body algorithm: inward for inertia and force, outward for acceleration.

    inward    I_P += X (I - U U^T / D) X^T      p_P += X (p + I' c + U x)      (through the joint: release.py)
    outward   a = X^-1 a_P + c                  v' = x - U.a / D               a += S v'

[McKenna 1990, appendix B, eq. 35-46; Featherstone 2008, table 7.1]. p starts as the force that a link's own motion
takes, less the external force. A joint whose acceleration is given lets nothing go: I' = I, p' = p + I S v', and the
force it took is S.(I a + p) [McKenna 1990, eq. 45; Featherstone 2008, section 9.2].
"""

from collections.abc import Mapping, Sequence

from gambol.dynamics.bodies import NOTHING, STANDARD_GRAVITY, Gravity, resting_frame, rigid_biases, rigid_inertias
from gambol.dynamics.forward.release import Hold, Release, hold, release
from gambol.dynamics.kinematics import Kinematics
from gambol.figure.joint import Placement
from gambol.lanes import Scalar
from gambol.spatial.inertia import Inertia
from gambol.spatial.motion import Force
from gambol.spatial.vector import Vector


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
    figure, I = state.figure, rigid_inertias(state.figure)
    p = rigid_biases(state, I)
    for number, force in f_ext.items():
        p[number] -= force
    seen: dict[int, tuple[Inertia, Force]] = {}
    steps: dict[int, list[Release | Hold]] = {}
    for link in figure.inward():
        i, joint = link.index, state.joints[link.index]
        seen[i] = inertia, bias = _in_joint_axes(I[i], p[i], joint)
        steps[i] = _through(link.joint.armature, (inertia, bias), joint, tau[link.v], prescribed.get(i))
        if steps[i]:
            inertia, bias = steps[i][-1].inertia, steps[i][-1].bias
        bias = inertia.times(state.drifts[i], onto=bias)
        inertia = _in_parent_axes(inertia, joint)
        I[link.parent_index] += inertia.shifted(joint.X_PJ.position)
        p[link.parent_index] = _carried_in(bias, inertia, joint, state.swings[i], onto=p[link.parent_index])

    a = [resting_frame(gravity)] * len(I)
    rates: list[Scalar] = [0.0] * figure.nv
    taken: dict[int, list[Scalar]] = {}
    for link in figure.outward():
        i, joint = link.index, state.joints[link.index]
        motion = state.carried(i, a[link.parent_index])
        for k in reversed(range(len(steps[i]))):
            rates[link.v.start + k], motion = steps[i][k].accelerated(motion)
        a[i] = joint.to_link(motion)
        if i in prescribed:
            force = seen[i][0].times(motion, onto=seen[i][1])
            rotor = link.joint.armature
            borne = [S.dot(force, rotor * x) for S, x in zip(joint.columns, rates[link.v], strict=True)]
            taken[i] = [f - t for f, t in zip(borne, tau[link.v], strict=True)]
    return rates, taken


def _in_joint_axes(inertia: Inertia, bias: Force, joint: Placement) -> tuple[Inertia, Force]:
    for turn in reversed(joint.inner):
        inertia = inertia.rotated(turn)
    return inertia, joint.to_joint(bias)


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
