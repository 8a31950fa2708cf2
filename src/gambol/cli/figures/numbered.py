"""Runs from a file of changed numbers (.numbers.json), which pages of `walk`, `run`, `replay` and `zoo` save."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from gambol.cli.figures import results
from gambol.cli.figures.controllers import film_rate
from gambol.cli.figures.creatures import EvolvedCreature, file_name, read_creature
from gambol.cli.figures.run_request import DEFAULT_SECONDS, PreparedRun, RunRequest, request_summary
from gambol.cli.pages import LiveSimulation, first_state
from gambol.cli.source import Source, check_options, found_file
from gambol.cli.walk.creature import creature_page_state, prepare_walk
from gambol.cli.walk.creature_request import CreatureRequest
from gambol.cli.walk.roach import RoachRequest, page_state, prepare_roach_walk
from gambol.errors import GambolError
from gambol.evolve.evaluate.genes import with_genes
from gambol.evolve.genotype import to_json
from gambol.evolve.zoo import CREATURES, zoo_creature
from gambol.view.live.number_file import FORMAT, changed_inputs, read_number_file
from gambol.world import Film, State, run
from gambol.world.run import Progress

SUFFIX = ".json"
Prepare = Callable[[RunRequest], PreparedRun]


def is_number_file(path: Path) -> bool:
    """True for a file of changed numbers, by its name and its first bytes."""
    if path.suffix.lower() != SUFFIX or not path.is_file():
        return False
    with path.open("rb") as file:
        return f'"{FORMAT}"'.encode() in file.read(200)


def prepare_numbered(request: RunRequest, prepare: Prepare) -> PreparedRun:
    """Return the run of a file of numbers: the world that its page showed, with the numbers that were changed there.

    request: the file and, if given, a duration that replaces the duration of the page. prepare: returns the run of a
    figure file. Raises GambolError for a file without a source, for a source that is not found, and for numbers of
    another world.
    """
    if replace(request, file=Path(), seconds=None) != RunRequest(Path()):
        raise GambolError(f'"{request.file.name}" is a file of numbers, which sets this itself; give --seconds only')
    content = read_number_file(request.file)
    if content.source is None:
        raise GambolError(
            f'"{request.file.name}" does not say which world its numbers are of, since its page was written by a '
            "program, or by a command that used other files; changed_inputs() of gambol.view.live sets them in a world"
        )
    original = _original(Source.of(content.source, str(request.file)), request, prepare, content.genes)
    if isinstance(original.simulation, str):
        raise GambolError(f'"{request.file.name}": {original.simulation}')
    first = original.simulation.state
    if (name := first.world.figure.name) != content.figure:
        raise GambolError(f'"{request.file.name}" has numbers of "{content.figure}"; its source is "{name}"')
    state, numbers = changed_inputs(first, original.simulation.numbers, content.numbers)
    seconds = request.seconds or original.seconds
    source = original.simulation.source

    def simulate(progress: Progress) -> Film:
        rate = film_rate(state.world.timing.control_step)
        return run(state.world, state.copied(), seconds, rate=rate, numbers=numbers, progress=progress)

    def summary(film: Film) -> dict[str, Any]:
        return request_summary(request) | {"numbers": dict(content.numbers)} | results.film_summary(film)

    simulation = LiveSimulation(State(state.world, state.rows.copy()), numbers, source, original.simulation.genes)
    name = file_name(request.file)
    return PreparedRun(name, seconds, simulate, summary, simulation, original.notes, original.model)


def _original(source: Source, request: RunRequest, prepare: Prepare, genes: Mapping[str, float]) -> PreparedRun:
    """Return the run that the page showed. genes: values of changed genes by name."""
    options = dict(source.options)
    match source.kind:
        case "roach":
            walk = prepare_roach_walk(check_options(RoachRequest, options))
            return _walk("roach", page_state(walk), walk.seconds, source)
        case "creature":
            walk = prepare_walk(check_options(CreatureRequest, options))
            return _walk(walk.request.name, creature_page_state(walk), walk.seconds, source)
        case "evolved":
            return _evolved(_zoo_creature(str(options.get("name"))), source, genes)
        case _:
            original = check_options(RunRequest, options | {"file": Path(str(options.get("file", "")))})
            path = found_file(original.file.name, request.file)
            if genes:
                return _evolved(read_creature(path), source, genes)
            return prepare(replace(original, file=path, seconds=request.seconds or original.seconds))


def _walk(name: str, state: State, seconds: float, source: Source) -> PreparedRun:
    simulation = first_state(state)
    if isinstance(simulation, LiveSimulation):
        simulation = replace(simulation, source=source.data())
    return PreparedRun(name, seconds, _no_film, _no_summary, simulation)


def _zoo_creature(name: str) -> EvolvedCreature:
    """Return a creature that comes with gambol. Raises GambolError for an unknown one."""
    if name not in CREATURES:
        raise GambolError(f'there is no evolved creature "{name}"; there are {", ".join(CREATURES)}')
    found = zoo_creature(name)
    return EvolvedCreature(name, to_json(found.genotype), found.settings)


def _evolved(creature: EvolvedCreature, source: Source, genes: Mapping[str, float]) -> PreparedRun:
    """Return the run of a creature with changed genes. Raises GambolError for genes that it does not have."""
    changed = replace(creature, genotype=with_genes(creature.settings, creature.genotype, genes))
    simulation = changed.simulation(source.data())
    return PreparedRun(creature.name, DEFAULT_SECONDS, _no_film, _no_summary, simulation)


def _no_film(progress: Progress) -> Film:
    raise AssertionError("the original is not simulated")


def _no_summary(film: Film) -> dict[str, Any]:
    raise AssertionError("the original has no results")
