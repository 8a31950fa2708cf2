"""The contacts of worlds in a state, as arrays."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gambol.world.contact_points import NUMBERS_PER_CONTACT, possible_contacts
from gambol.world.control_step import engine_of
from gambol.world.film.contacts import Contacts
from gambol.world.state import Engine, State
from gambol.world.world import World

Array: TypeAlias = NDArray[Any]


def contacts(world: World, state: State, *, numbers: Array | None = None) -> Contacts:
    """Return the contacts of all worlds of a state.

    world: world of the state. numbers: inputs of the worlds, see Engine.numbers(); None: inputs of the world itself.
    Points, normals and gaps are at the positions of the state. In the method "constraint", impulses of impacts between
    two steps are not part of the forces.
    """
    return contacts_of(engine_of(world, state.precision, state.rows.shape[1]), state, numbers)


def contacts_of(engine: Engine, state: State, numbers: Array | None = None) -> Contacts:
    """Return the contacts of all worlds of a state; engine: engine of their world."""
    world, worlds = engine.world, state.rows.shape[1]
    links = np.array(possible_contacts(world), np.intp).reshape(-1, 2)
    inputs = engine.default_numbers if numbers is None else numbers
    values = np.zeros((0, NUMBERS_PER_CONTACT, worlds))
    if len(links):
        (rows,) = engine.contact_program(state.rows, inputs, tables=engine.tables)
        values = np.asarray(rows, float).reshape(len(links), NUMBERS_PER_CONTACT, worlds)
    force, duration = values[:, 7:10], np.zeros(worlds)
    if (cache := state.step_state.memory.contact_cache) is not None:
        duration = np.broadcast_to(np.asarray(cache.step_size, float), (worlds,))
        force = _mean_forces(cache, (values[:, 3:6], values[:, 7:10]), duration)
    in_contact = (np.abs(force).max(axis=1, initial=0.0) > 0.0) | (values[:, 6] < 0.0)
    k, lane = np.nonzero(in_contact)
    order = np.lexsort((k, lane))
    k, lane = k[order], lane[order]
    return Contacts(
        lane,
        links[k, 0] - 1,
        links[k, 1] - 1,
        values[k, 0:3, lane],
        values[k, 3:6, lane],
        values[k, 6, lane],
        force[k, :, lane],
        duration[lane],
        tuple(link.name for link in world.figure.links),
    )


def _mean_forces(cache: Any, directions: tuple[Array, Array], duration: Array) -> Array:
    """Return the forces (n, 3, W) of impulses in a contact cache.

    directions: normals and first tangents (n, 3, W). duration: duration of the step (W,) [s].
    """
    normal, tangent = directions
    count, worlds = len(normal), len(duration)
    slots = len(cache.indices) or count
    impulses = np.array([[np.broadcast_to(x, (worlds,)) for x in p] for p in cache.impulses[:slots]], float)
    impulses = impulses.reshape(slots, 3, worlds)
    if len(cache.indices):
        indices = np.array(cache.indices).round().astype(int)
        slot, lane = np.nonzero(indices >= 0)
        by_contact = np.zeros((count, 3, worlds))
        by_contact[indices[slot, lane], :, lane] = impulses[slot, :, lane]
        impulses = by_contact
    frame = np.array([normal, tangent, np.cross(normal, tangent, axis=1)])
    total = np.einsum("naw,anbw->nbw", impulses, frame)
    return np.divide(total, duration, out=np.zeros_like(total), where=np.broadcast_to(duration > 0.0, total.shape))
