"""The motion that a plan starts from: a film, or the solution of another plan."""

from dataclasses import dataclass
from pathlib import Path

from gambol.cli.plan.figures import FIGURES
from gambol.cli.plan.progress import SolverProgress
from gambol.errors import GambolError, PlanError
from gambol.plan import Plan, PlanResult, solve
from gambol.plan.file import StartOptions, read_plan
from gambol.world import Film


@dataclass(frozen=True)
class Start:
    """The motion that a plan starts from, before any work: a film, or another plan that is not solved yet.

    path: path of its file; None for a plan without such a motion.
    """

    path: Path | None = None
    film: Film | None = None
    plan: Plan | None = None

    def motion(self, backend: str, progress: SolverProgress) -> PlanResult | Film | None:
        """Return the film, or the solution of the plan. Raises PlanError for no solution without an interrupt."""
        if self.plan is None:
            return self.film
        progress.show(f"{self.plan.name}: solving the plan to start from")
        result = solve(self.plan, backend=backend, progress=progress)
        if not result.solved and not result.interrupted:
            raise PlanError(f"{self.path}, from which the plan starts, has no motion itself: {result.message}")
        return result


def read_start_motion(options: StartOptions) -> Start:
    """Return the start of a plan. Raises GambolError for files that cannot be read, and for a chain of starts."""
    path = options.path
    if path is None:
        return Start()
    if path.suffix == ".npz":
        film = Film.load(path)
        return Start(path, film=film if options.part is None else _part(film, options.part))
    other = read_plan(path, FIGURES)
    if other.start.path is not None:
        raise GambolError(f"{path} starts from {other.start.path} itself; start from a plan without start_from")
    return Start(path, plan=other.plan)


def _part(film: Film, part: tuple[float, float]) -> Film:
    """Return the frames of a film in a part. Raises GambolError for a part that is not in the film."""
    if part[1] > film.time[-1] + 1e-9:
        raise GambolError(f'the part of film "{film.name}" ends at {part[1]:g} s, the film at {film.time[-1]:g} s')
    return film.between(*part)
