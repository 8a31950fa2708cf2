"""The table of muscle curve sets, by name."""

from gambol.actuation.muscle.curves.curve_set import CurveSet
from gambol.actuation.muscle.curves.de_groote_fregly import DE_GROOTE_FREGLY_2016
from gambol.actuation.muscle.curves.geyer_herr import GEYER_2003, GEYER_HERR_2010
from gambol.actuation.muscle.curves.millard import MILLARD_2012
from gambol.actuation.muscle.curves.mujoco import MUJOCO
from gambol.actuation.muscle.curves.thelen import THELEN_2003
from gambol.errors import WorldError, did_you_mean

CURVES: dict[str, CurveSet] = {
    row.name: row for row in (DE_GROOTE_FREGLY_2016, THELEN_2003, MILLARD_2012, GEYER_2003, GEYER_HERR_2010, MUJOCO)
}
"""The curve sets of muscles by name."""


def add_curves(curves: CurveSet) -> None:
    """Add a set of muscle curves under its name. Raises WorldError for a name that another set has."""
    if CURVES.get(curves.name, curves) is not curves:
        raise WorldError(f'there are muscle curves "{curves.name}" already; give yours another name')
    CURVES[curves.name] = curves


def curves_named(name: str) -> CurveSet:
    """Return the curve set of a name. Raises WorldError, with a suggestion, for an unknown one."""
    if name not in CURVES:
        raise WorldError(f'there are no muscle curves "{name}"; {did_you_mean(name, CURVES)}')
    return CURVES[name]
