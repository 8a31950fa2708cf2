"""Equality constraints of a compiled MJCF model as closures and couplings."""

from math import comb
from typing import Any

from gambol.errors import GambolError
from gambol.figure import IDENTITY, Closure, Constraint, Coupling, Matrix3, Triple
from gambol.figure.rotation import triple
from gambol.formats.mjcf.compiler import CompiledMjcf
from gambol.formats.mjcf.tree import HINGE, SLIDE, Names, rotation_of

CONNECT, WELD, JOINT, TENDON, FLEX = range(5)  # mjtEq; later values concern flexes too
SITE = 6  # mjOBJ_SITE: marks constraints between sites rather than bodies

ON_SITE = 3  # mjWRAP_SITE: a tendon passes through a site

Frame = tuple[int, Triple, Matrix3]  # number of a body; position [m] and rotation of a frame in it


def constraints_of(mjcf: CompiledMjcf, names: Names, notes: set[str]) -> tuple[Constraint, ...]:
    """Return the active constraints. names: names of the links. notes: receives sentences on approximations.

    Raises GambolError for constraints of flexes, and of tendons that are not straight between two sites.
    """
    model, constraints = mjcf.model, list[Constraint]()
    for number in range(model.neq):
        label = f'equality "{mjcf.name("equality", number) or number}"'
        kind = int(model.eq_type[number])
        if not model.eq_active0[number] or mjcf.is_disabled("EQUALITY") or mjcf.is_disabled("CONSTRAINT"):
            notes.add(f"Left out: {label}, which is not active.")
        elif kind == JOINT:
            constraints.append(_coupling(mjcf, names, number, label))
        elif kind in (CONNECT, WELD):
            constraints.append(_closure(mjcf, names, number, "weld" if kind == WELD else "point"))
        elif kind == TENDON and (sites := _straight_tendon(mjcf.model, number)):
            constraints.append(_closure_between(mjcf, names, "distance", sites, _tendon_length(mjcf.model, number)))
        else:
            raise GambolError(
                f"{mjcf.file}: {label} constrains a flex, or a tendon that is not straight between two sites; "
                'gambol cannot simulate this; remove it, or set active="false"'
            )
    if constraints:
        notes.add("Constraints are held exactly, not softly as by MuJoCo.")
    return tuple(constraints)


def _closure(mjcf: CompiledMjcf, names: Names, number: int, kind: str) -> Closure:
    """Return the closure of a connect or weld constraint between two bodies, or a body and the world."""
    return _closure_between(
        mjcf, names, kind, _site_frames(mjcf.model, number) or _body_frames(mjcf.model, number, kind)
    )


def _closure_between(
    mjcf: CompiledMjcf, names: Names, kind: str, ends: tuple[Frame, Frame], length: float = 0.0
) -> Closure:
    """Return a closure of two frames on bodies.

    kind: kind of the closure. ends: the two frames. length: length of a distance closure [m].
    """
    first, second = ends
    if first[0] == 0:
        first, second = second, first
    if first[0] == 0:
        raise GambolError(f"{mjcf.file}: an equality connects the world to itself; name a body that moves")
    position_first = names.position_in_link(first[0], first[1])
    if second[0] == 0:
        return Closure(kind, names.bodies[first[0]], None, position_first, first[2], second[1], second[2], length)
    position_second = names.position_in_link(second[0], second[1])
    return Closure(
        kind,
        names.bodies[first[0]],
        names.bodies[second[0]],
        position_first,
        first[2],
        position_second,
        second[2],
        length,
    )


def _site_frames(model: Any, number: int) -> tuple[Frame, Frame] | None:
    """Return the two frames of a constraint between sites; None for one between bodies."""
    if int(model.eq_objtype[number]) != SITE:
        return None
    first, second = int(model.eq_obj1id[number]), int(model.eq_obj2id[number])
    return _site(model, first), _site(model, second)


def _straight_tendon(model: Any, number: int) -> tuple[Frame, Frame] | None:
    """Return the two end sites of a straight tendon with constrained length; None for other tendons."""
    tendon, other = int(model.eq_obj1id[number]), int(model.eq_obj2id[number])
    first, count = int(model.tendon_adr[tendon]), int(model.tendon_num[tendon])
    if other >= 0 or count != 2 or any(int(kind) != ON_SITE for kind in model.wrap_type[first : first + 2]):
        return None
    return _site(model, int(model.wrap_objid[first])), _site(model, int(model.wrap_objid[first + 1]))


def _tendon_length(model: Any, number: int) -> float:
    """Return the constrained length of a tendon [m].

    MuJoCo stores this length minus the length at the reference position.
    """
    return float(model.tendon_length0[int(model.eq_obj1id[number])] + model.eq_data[number][0])


def _site(model: Any, site: int) -> Frame:
    return int(model.site_bodyid[site]), triple(model.site_pos[site]), rotation_of(model.site_quat[site])


def _body_frames(model: Any, number: int, kind: str) -> tuple[Frame, Frame]:
    """Return the two frames of a constraint between bodies. The data of a weld has the second body's anchor first."""
    data, bodies = model.eq_data[number], (int(model.eq_obj1id[number]), int(model.eq_obj2id[number]))
    if kind == "weld":
        return (bodies[0], triple(data[3:6]), rotation_of(data[6:10])), (bodies[1], triple(data[:3]), IDENTITY)
    return (bodies[0], triple(data[:3]), IDENTITY), (bodies[1], triple(data[3:6]), IDENTITY)


def _coupling(mjcf: CompiledMjcf, names: Names, number: int, label: str) -> Coupling:
    """Return the coupling of two joints. MuJoCo's polynomial relates differences from the reference positions."""
    model = mjcf.model
    joint, other = int(model.eq_obj1id[number]), int(model.eq_obj2id[number])
    for coupled in (joint, other):
        if coupled >= 0 and int(model.jnt_type[coupled]) not in (HINGE, SLIDE):
            raise GambolError(f"{mjcf.file}: {label} couples a joint with several coordinates; name hinges and slides")
    reference = float(model.qpos0[model.jnt_qposadr[joint]])
    c = [float(x) for x in model.eq_data[number][:5]]
    if other < 0:
        return Coupling(names.joints[joint], None, (reference + c[0],))
    shift = -float(model.qpos0[model.jnt_qposadr[other]])
    shifted = [sum(c[n] * comb(n, k) * shift ** (n - k) for n in range(k, 5)) for k in range(5)]
    while len(shifted) > 2 and shifted[-1] == 0.0:
        shifted.pop()
    return Coupling(names.joints[joint], names.joints[other], (reference + shifted[0], *shifted[1:]))
