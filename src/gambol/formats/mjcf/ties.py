"""Equality constraints of a compiled model as closures and couplings."""

from math import comb
from typing import Any

from gambol.errors import GambolError
from gambol.figure import IDENTITY, Closure, Constraint, Coupling, Matrix3, Triple
from gambol.figure.rotation import triple
from gambol.formats.mjcf.compiled import Compiled
from gambol.formats.mjcf.tree import HINGE, SLIDE, Names, rotation_of

CONNECT, WELD, JOINT, TENDON, FLEX = range(5)  # MuJoCo's types of equalities; what follows is of flexes, too
SITE = 6  # MuJoCo's mark of constraints between sites rather than bodies

ON_SITE = 3  # its mark of a tendon's way through a site

Frame = tuple[int, Triple, Matrix3]


def constraints_of(given: Compiled, names: Names, notes: set[str]) -> tuple[Constraint, ...]:
    """The constraints that are active; notes: grows by those that are not.

    Raises GambolError for those of tendons and of bodies that bend.
    """
    model, made = given.model, list[Constraint]()
    for number in range(model.neq):
        of = f'equality "{given.name("equality", number) or number}"'
        kind = int(model.eq_type[number])
        if not model.eq_active0[number] or given.off("EQUALITY") or given.off("CONSTRAINT"):
            notes.add(f"Left out: {of}, which is not active.")
        elif kind == JOINT:
            made.append(_coupling(given, names, number, of))
        elif kind in (CONNECT, WELD):
            made.append(_closure(given, names, number, "weld" if kind == WELD else "point"))
        elif kind == TENDON and (sites := _held_way(given.model, number)):
            made.append(_between(given, names, "distance", sites, _held_length(given.model, number)))
        else:
            raise GambolError(
                f"{given.file}: {of} is of a kind (flex, or tendon but one straight from site to site) that gambol "
                'does not have; remove it, or set active="false"'
            )
    if made:
        notes.add("Constraints are held exactly, not softly as by MuJoCo.")
    return tuple(made)


def _closure(given: Compiled, names: Names, number: int, kind: str) -> Closure:
    """A connection of two bodies, of which one may be the world."""
    return _between(given, names, kind, _sites(given.model, number) or _places(given.model, number, kind))


def _between(given: Compiled, names: Names, kind: str, ends: tuple[Frame, Frame], length: float = 0.0) -> Closure:
    """A closure of two frames, in bodies; length: of a distance [m]."""
    one, other = ends
    if one[0] == 0:
        one, other = other, one
    if one[0] == 0:
        raise GambolError(f"{given.file}: an equality ties the world to itself; name a body that moves")
    here = names.shifted(one[0], one[1])
    if other[0] == 0:
        return Closure(kind, names.bodies[one[0]], None, here, one[2], other[1], other[2], length)
    there = names.shifted(other[0], other[1])
    return Closure(kind, names.bodies[one[0]], names.bodies[other[0]], here, one[2], there, other[2], length)


def _sites(model: Any, number: int) -> tuple[Frame, Frame] | None:
    """The two frames of a constraint between sites; None for one between bodies."""
    if int(model.eq_objtype[number]) != SITE:
        return None
    first, second = int(model.eq_obj1id[number]), int(model.eq_obj2id[number])
    return _site(model, first), _site(model, second)


def _held_way(model: Any, number: int) -> tuple[Frame, Frame] | None:
    """The two sites between which a tendon runs straight whose length is held; None for other tendons."""
    tendon, other = int(model.eq_obj1id[number]), int(model.eq_obj2id[number])
    first, count = int(model.tendon_adr[tendon]), int(model.tendon_num[tendon])
    if other >= 0 or count != 2 or any(int(kind) != ON_SITE for kind in model.wrap_type[first : first + 2]):
        return None
    return _site(model, int(model.wrap_objid[first])), _site(model, int(model.wrap_objid[first + 1]))


def _held_length(model: Any, number: int) -> float:
    """The length [m] at which a constraint holds a tendon: told as what it is more than in the reference position."""
    return float(model.tendon_length0[int(model.eq_obj1id[number])] + model.eq_data[number][0])


def _site(model: Any, site: int) -> Frame:
    return int(model.site_bodyid[site]), triple(model.site_pos[site]), rotation_of(model.site_quat[site])


def _places(model: Any, number: int, kind: str) -> tuple[Frame, Frame]:
    """The two frames of a constraint between bodies: a weld keeps the second's anchor first, then the first's pose."""
    data, bodies = model.eq_data[number], (int(model.eq_obj1id[number]), int(model.eq_obj2id[number]))
    if kind == "weld":
        return (bodies[0], triple(data[3:6]), rotation_of(data[6:10])), (bodies[1], triple(data[:3]), IDENTITY)
    return (bodies[0], triple(data[:3]), IDENTITY), (bodies[1], triple(data[3:6]), IDENTITY)


def _coupling(given: Compiled, names: Names, number: int, of: str) -> Coupling:
    """A joint's coordinate as a polynomial of another's; MuJoCo's is in differences from the reference positions."""
    model = given.model
    joint, other = int(model.eq_obj1id[number]), int(model.eq_obj2id[number])
    for which in (joint, other):
        if which >= 0 and int(model.jnt_type[which]) not in (HINGE, SLIDE):
            raise GambolError(f"{given.file}: {of} couples a joint with several coordinates; name hinges and slides")
    home = float(model.qpos0[model.jnt_qposadr[joint]])
    c = [float(x) for x in model.eq_data[number][:5]]
    if other < 0:
        return Coupling(names.joints[joint], None, (home + c[0],))
    back = -float(model.qpos0[model.jnt_qposadr[other]])
    moved = [sum(c[n] * comb(n, k) * back ** (n - k) for n in range(k, 5)) for k in range(5)]
    while len(moved) > 2 and moved[-1] == 0.0:
        moved.pop()
    return Coupling(names.joints[joint], names.joints[other], (home + moved[0], *moved[1:]))
