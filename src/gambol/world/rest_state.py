"""The default state of a world, which is also the structure of its states."""

from gambol.figure import JOINTS
from gambol.lanes import leaves
from gambol.world.actuator_forces import initial_states
from gambol.world.context import RUNNING, Clock, Ledger, Memory, StepState, ledger_entries
from gambol.world.sampling import sensor_memory
from gambol.world.world import REST_STATE, World


def rest_state(world: World) -> StepState:
    """Return the default state of a world: every joint at rest, the root of the figure at the origin.

    It is made once for each world, and must not be changed.
    """
    if REST_STATE not in world.__dict__:
        world.__dict__[REST_STATE] = _rest_state(world)
    return world.__dict__[REST_STATE]


def _rest_state(world: World) -> StepState:
    q = [x for link in world.figure.links for x in JOINTS[link.joint.kind].rest]
    contact = world.method.memory(world.scene)
    control = world.controller.memory() if world.controller else None
    v = [0.0] * world.figure.nv
    actuators = initial_states(world, q, v)
    intact = [1.0] * len(world.external.attachments)
    sensors = sensor_memory(world.sensors, world.timing.control_step)
    memory = Memory(control, [], intact, actuators=actuators, sensors=sensors).with_contact(contact)
    clock = Clock(0.0, 0.0, world.timing.step, 0.0, 0.0, RUNNING)
    integrated, entries = len(v) + len(leaves(actuators)), len(ledger_entries(Ledger()))
    history = world.timing.integrator.initial_state(integrated, entries)
    return StepState(q, v, memory, Ledger(), history, clock)
