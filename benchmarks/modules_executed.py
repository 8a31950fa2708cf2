"""Counts of modules that execute in a contact step, an ABA and a generation: `python -m benchmarks.modules_executed`.

These are the files to open to follow it. A module counts if one of its functions executes; imports do not count, nor
methods that dataclasses generate. A step and an ABA are traced once, without lowering to machine code. A generation is
counted after a first one of the same settings, so that its programs are in memory: neither tracing nor compiling nor
loading of programs counts.
"""

import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

import gambol
from gambol.contact import ContactParameters, SurfaceProperties
from gambol.creatures import roach
from gambol.dynamics import aba, kinematics
from gambol.evolve.archive import Archive
from gambol.evolve.evaluate import search_setup
from gambol.evolve.runs import Settings, begin_run, make_worker_pool
from gambol.figure import Box, Figure, Joint, Link, Part, Sphere
from gambol.lanes import leaves, unflatten
from gambol.lanes.bodies import trace_body
from gambol.world import Timing, World
from gambol.world.rest_state import rest_state
from gambol.world.step import advance

GROUND = ContactParameters(
    stiffness=1e4,
    alpha=0.0,
    beta=1.0,
    damping=0.0,
    deepest=1.0,
    restitution=0.0,
    restitution_speed=1e-3,
    friction=0.5,
    bristle_stiffness=1e5,
    bristle_damping=100.0,
    skid_damping=1e4,
)

SMALL_RUN = Settings(population=4, generations=1, seconds=1.5)
"""A generation of four quadrupeds on fixed bodies, each in two rollouts."""


def executed_modules(work: Callable[[], object], package: ModuleType = gambol) -> list[str]:
    """Return the names of a package's modules, without the package's own, whose functions execute in work(), sorted.

    Functions of threads that start in it count too.
    """
    root, files = Path(str(package.__file__)).parent, set[str]()

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_name != "<module>":
            files.add(frame.f_code.co_filename)

    profiler = sys.getprofile()
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(profiler)
        threading.setprofile(None)
    inside = (Path(file).relative_to(root) for file in files if Path(file).is_relative_to(root))
    return sorted(".".join(path.with_suffix("").parts) for path in inside)


def traced(function: Callable[..., Any], *structures: Any) -> Callable[[], object]:
    """Return the work of tracing a function of pytrees with these structures."""

    def flat(*inputs: Any) -> list[Any]:
        stream = iter(inputs)
        return leaves(function(*(unflatten(tree, stream) for tree in structures)))

    return lambda: trace_body("counted", "float64", None, len(leaves(structures)), flat)


def standing_figure() -> Figure:
    """Return a trunk on four stiff legs with balls for feet."""
    trunk = Link("trunk", None, Joint("free"), (Part(Box((0.5, 0.3, 0.1)), density=600.0),))
    foot = Part(Sphere(0.02), (0.0, 0.0, -0.23), density=3e3)
    legs = (
        Link(f"leg{k}", "trunk", Joint("fixed", position=(x, y, 0.0)), (foot,))
        for k, (x, y) in enumerate([(0.2, 0.1), (0.2, -0.1), (-0.2, 0.1), (-0.2, -0.1)])
    )
    return Figure("quadruped", (trunk, *legs))


def contact_step() -> list[str]:
    """Return the modules that trace the advance of a passive quadruped on the ground by steps with contacts."""
    timing = Timing(1.0 / 60.0, 1.0 / 600.0, "semi-implicit euler")
    world = World(standing_figure(), surface=SurfaceProperties(GROUND), contact="stepping", timing=timing)
    structures = rest_state(world), world.numbers(), 0.0

    def step(state: Any, numbers: Any, until: Any) -> Any:
        return advance(world, state, numbers, until, None)

    return executed_modules(traced(step, *structures))


def forward_dynamics() -> list[str]:
    """Return the modules that trace the forward dynamics of the roach by ABA."""
    figure = roach().figure

    def accelerations(q: Sequence[Any], v: Sequence[Any], tau: Sequence[Any]) -> Any:
        return aba(kinematics(figure, q, v), tau)[0]

    return executed_modules(traced(accelerations, [0.0] * figure.nq, [0.0] * figure.nv, [0.0] * figure.nv))


def generation() -> list[str]:
    """Return the modules that evolve one generation in this thread: proposed, grown, simulated, scored and stored."""
    with (
        tempfile.TemporaryDirectory() as folder,
        make_worker_pool("here") as pool,
        Archive(f"{folder}/run.db") as archive,
    ):

        def live() -> None:
            begin_run(archive, SMALL_RUN, search_setup).execute(pool)

        live()  # its programs, which batches keep in memory
        return executed_modules(live)


@dataclass(frozen=True)
class Count:
    """A count of modules. most: reached so far, and a test holds it; wanted: the aim; before: when first counted."""

    modules: Callable[[], list[str]]
    most: int
    wanted: int
    before: int


COUNTS = {
    "contact step": Count(contact_step, most=71, wanted=25, before=67),
    "ABA": Count(forward_dynamics, most=26, wanted=12, before=31),
    "generation": Count(generation, most=62, wanted=60, before=63),
}


def main() -> int:
    """Print counts and names by package; return 1 if a count exceeds the one reached so far."""
    failed = False
    for name, count in COUNTS.items():
        modules = count.modules()
        failed |= len(modules) > count.most
        print(f"{name}: {len(modules)} modules; at most {count.most}, {count.wanted} wanted, {count.before} before")
        for package, members in sorted(Counter(module.partition(".")[0] for module in modules).items()):
            names = (module.partition(".")[2] for module in modules if module.partition(".")[0] == package)
            print(f"  {package} {members}: {', '.join(names)}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
