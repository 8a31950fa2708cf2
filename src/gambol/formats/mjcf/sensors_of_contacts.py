"""The options of MuJoCo's sensor "contact". [MuJoCo documentation, XML reference, sensor "contact"]"""

import numpy as np

from gambol.figure import FOREST_ROOT
from gambol.formats.mjcf.geoms import ground_geom
from gambol.formats.mjcf.sensor_options import MjcfSensor, Options, zone_of

FIELDS = ("found", "force", "torque", "dist", "pos", "normal", "tangent")  # mjtConDataField
REDUCTIONS = ("none", "mindist", "maxforce", "netforce")
GROUND = "ground"


def contact(sensor: MjcfSensor) -> Options | str:
    """Return the options of a list of contacts."""
    bits, reduction, count = (int(x) for x in sensor.mjcf.model.sensor_intprm[sensor.number][:3])
    if bits >> len(FIELDS):
        return "reads the velocities of contacts"
    fields = tuple(name for k, name in enumerate(FIELDS) if bits >> k & 1)
    options: Options = {"fields": fields, "reduce": REDUCTIONS[reduction], "count": count}
    if sensor.object_kind("objtype") == "site":
        site = sensor.value("objid")
        body, position, rotation = sensor.frame("site", site)
        zone = zone_of(sensor, site)
        if zone is None:
            return "has a site without a volume"
        link = sensor.names.bodies[body] if body else None
        options |= {"zone": zone, "zone_link": link, "position": position, "rotation": rotation}
    for side, kind, number in (("first", "objtype", "objid"), ("second", "reftype", "refid")):
        links = _links(sensor, sensor.object_kind(kind), sensor.value(number))
        if links is None:
            return "names a shape of a body that has several, or a shape that touches nothing"
        options |= {side: links} if links else {}
    return options


def _links(sensor: MjcfSensor, kind: str, number: int) -> tuple[str, ...] | None:
    """Return the links that an object stands for; empty: all; None: the object is not all that touches of a link."""
    model = sensor.mjcf.model
    if kind in ("unknown", "site") or (kind == "xbody" and number == 0):
        return ()
    if kind == "xbody":
        inside = {number}
        for body in range(number + 1, model.nbody):
            inside |= {body} if int(model.body_parentid[body]) in inside else set()
        return tuple(sensor.names.bodies[body] for body in sorted(inside))
    if kind == "geom":
        if number == ground_geom(sensor.mjcf, set()):
            return (GROUND,)
        body = int(model.geom_bodyid[number])
        colliding = (model.geom_contype != 0) | (model.geom_conaffinity != 0)
        touching = np.flatnonzero(colliding & (model.geom_bodyid == body))
        if body == 0 or list(touching) != [number]:
            return None
        return (sensor.names.bodies[body],)
    if number:
        return (sensor.names.bodies[number],)
    is_fixed = any(link.name == FOREST_ROOT and link.parts for link in sensor.figure.links)
    return (GROUND, FOREST_ROOT) if is_fixed else (GROUND,)
