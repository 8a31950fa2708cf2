"""The code of `constraint`: one step of each loop over contacts, however many contacts there are."""

from dataclasses import replace
from itertools import pairwise

from gambol.contact import Constraint
from gambol.contact.complementarity.contact_system import impulse_solver
from gambol.creatures import roach, world_of
from gambol.lanes import ProgramSpec, empty
from gambol.lanes.program_spec import operation_count, trace_program
from gambol.world import Engine


def solver_size(contacts: int) -> int:
    """Return the number of operations that solve a problem of so many contacts."""

    def solved(b: list[float], mu: list[float]) -> tuple[list[float]]:
        return (impulse_solver("newton", 0)(empty(9 * contacts * contacts), b, mu)[0],)

    spec = ProgramSpec("solver", solved, ([0.0] * (3 * contacts), [0.0] * contacts))
    return operation_count(trace_program(spec, "float64")[0])


def test_the_solver_reads_and_writes_its_numbers_and_nothing_else_grows():
    """For each contact: stores of b (3), mu, and the flag of an active tile; loads of its impulse (3)."""
    sizes = [solver_size(contacts) for contacts in (3, 6, 12, 24)]
    assert [b - a for a, b in pairwise(sizes)] == [3 * 8, 6 * 8, 12 * 8]


def test_no_code_is_written_for_pairs_of_contacts():
    """Code for pairs would grow with the square of contacts; the numbers of a contact in the state grow linearly.

    From 16 contacts on, the slots of the roach's candidates are in memory.
    """
    world = world_of(roach(), contact="constraint")
    engines = [Engine(replace(world, contact=Constraint(max_contacts=count))) for count in (16, 32, 64)]
    few, some, many = (operation_count(trace_program(engine.advance_spec, "float64")[0]) for engine in engines)
    assert many - some == 2 * (some - few)
