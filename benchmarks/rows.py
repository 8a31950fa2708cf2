"""The rows of the benchmarks, the form of a result, and the goals of some rows."""

import os
from dataclasses import dataclass, field

from gambol.lanes import Precision


@dataclass(frozen=True)
class Goal:
    """A lower or upper bound of a measure of a result."""

    measure: str
    least: float = float("-inf")
    most: float = float("inf")

    def __str__(self) -> str:
        bound = f">= {self.least:g}" if self.least > float("-inf") else f"<= {self.most:g}"
        return f"{self.measure} {bound}"


@dataclass(frozen=True)
class Row:
    """A measurement. worlds: number of worlds in a call."""

    benchmark: str
    model: str
    precision: Precision
    worlds: int
    goal: Goal | None = None
    threads: int = 1

    @property
    def name(self) -> str:
        """The name that `make bench ROWS=pattern` matches."""
        return f"{self.benchmark} {self.model} {self.precision} {self.worlds}"


@dataclass
class Result:
    """The result of a row.

    ns_per_step: of one world, on all threads together [ns]; spread: half the interquartile range of its repeats over
    the median; step_s: simulated time of a step [s]; energy_drift: unaccounted energy over the energy exchanged;
    check: a text on the comparison made before the timing; more: other measures by name.
    """

    dof: int
    check: str
    step_s: float | None = None
    contacts: str = "no"
    ns_per_step: float | None = None
    spread: float | None = None
    peer: str = ""
    peer_ns_per_step: float | None = None
    ratio: float | None = None
    compile_s: float | None = None
    energy_drift: float | None = None
    more: dict[str, float] = field(default_factory=dict[str, float])

    def measure(self, name: str) -> float | None:
        """Return a measure by its name."""
        return self.more[name] if name in self.more else getattr(self, name, None)


PRECISIONS: tuple[Precision, ...] = ("float32", "float64")
MODELS = ("quadruped", "hexapod", "roach")
LANDING = ("quadruped", "half-cheetah", "hopper", "walker2d", "ant", "humanoid", "Go2")
LANDING_VARIANTS = (
    "ant, divided steps", "ant 0.3 %", "Go2, divided steps", "humanoid 0.3 %", "humanoid 0.1 %", "hopper 0.3 %",
    "half-cheetah 0.3 %",
)  # fmt: skip

AIRBORNE_GOALS = {"float32": Goal("ratio", least=60.0), "float64": Goal("ratio", least=35.0)}

LINKS_GOAL = Goal("compile_s", most=30.0)  # processor time

MANY = {"float32": 4080, "float64": 2040}
"""255 full blocks of lanes with AVX-512, so that call overhead is small. Not 256: rows a power of two bytes apart map
to the same few cache lines."""

ROBOTS = ("xArm 7", "Go2", "ANYmal C", "G1", "Centauro", "Talos", "G1 with hands")
"""Robots of 7, 18, 18, 35, 45, 50 and 67 degrees of freedom."""

FORWARD_GOALS = {"float32": Goal("ratio", least=40.0), "float64": Goal("ratio", least=20.0)}
SHORT_COMPILE = Goal("compile_s", most=10.0)

LONG = ("chain 10", "chain 25", "chain 50", "chain 100", "chain 200", "tree 50", "tree 200")
"""Figures of 10 to 200 links, for the cost of a link."""

SCENE_GOALS = {
    "rolling at 60 degrees": 1e-5,
    "rolling along x": 1e-5,
    "bouncing": 0.019,
    "666": 1e-6,
    "elastic 666": 8.4,
    "1000 rough balls": 1e-6,
}
"""The scenes of SimBenchmark, and errors below those of all engines in its table: m2/s2, m2/s2, J2, m2, J2; the last
scene is our own [m2]."""

SCENES_BESIDE_MUJOCO = ("rolling at 60 degrees", "rolling along x", "666", "1000 rough balls")

FEW = {"float32": 496, "float64": 248}  # 31 blocks, which fit into the cache

LANDING_GOALS: dict[tuple[str, Precision], Goal] = {
    ("quadruped", "float32"): Goal("ratio", least=150.0),
    ("quadruped", "float64"): Goal("ratio", least=75.0),
    ("ant", "float32"): Goal("ratio", least=80.0),
    ("ant", "float64"): Goal("ratio", least=40.0),
    ("ant, divided steps", "float32"): Goal("ratio", least=80.0),
    ("ant, divided steps", "float64"): Goal("ratio", least=40.0),
    ("humanoid", "float32"): Goal("ratio", least=30.0),
    ("humanoid", "float64"): Goal("ratio", least=15.0),
    ("humanoid 0.3 %", "float32"): Goal("ratio", least=30.0),
    ("humanoid 0.3 %", "float64"): Goal("ratio", least=15.0),
    ("humanoid 0.1 %", "float32"): Goal("ratio", least=30.0),
    ("humanoid 0.1 %", "float64"): Goal("ratio", least=15.0),
}

CORES = os.cpu_count() or 1

EVOLVING = (
    Row("lives", "quadruped", "float32", 64, Goal("over_bare", most=1.5)),
    Row("lives", "quadruped", "float32", 256, Goal("over_bare", most=1.5)),
    Row("lives of any body", "256 topologies", "float32", 256, Goal("over_one_topology", most=4.0)),
    Row("lives on all cores", "quadruped", "float32", 256, Goal("ratio", least=25.0), threads=CORES),
    Row("archive", "quadruped", "float32", 256, Goal("archive_part", most=0.03), threads=CORES),
    Row("workers", "threads", "float32", 512, Goal("ratio", least=1.8), threads=2),
    Row("workers", "processes", "float32", 512, Goal("ratio", least=1.8), threads=2),
    Row("long run", "quadruped", "float32", 8, Goal("memory_over_earlier", most=1.02)),
)
"""Rows on evolution; a worker gets 64 creatures at once."""

PLANS: dict[str, Goal | None] = {
    "cart-pole 25": None,
    "cart-pole 200": None,
    "quadruped in flight 10": Goal("ratio", least=1.5),
    "quadruped in flight 25": Goal("ratio", least=1.5),
}
"""Plans by number of intervals."""

ROWS = (
    *(Row("forward", model, p, MANY[p]) for model in MODELS for p in PRECISIONS),
    *(Row("forward", robot, p, MANY[p], FORWARD_GOALS[p]) for robot in ROBOTS for p in PRECISIONS),
    *(Row("one by one", robot, "float64", 255, Goal("ratio", least=1.0)) for robot in ROBOTS),
    *(Row("forward", model, "float64", FEW["float64"], SHORT_COMPILE) for model in LONG),
    *(Row("depth", model, "float64", 1) for model in ("chain 10", "chain 25", "chain 50", "chain 100")),
    *(Row("airborne", model, p, FEW[p], AIRBORNE_GOALS[p]) for model in MODELS for p in PRECISIONS),
    *(
        Row("landing", model, p, FEW[p], LANDING_GOALS.get((model, p)))
        for model in (*LANDING, *LANDING_VARIANTS)
        for p in PRECISIONS
    ),
    *(Row("landing alone", "quadruped", p, 16, Goal("ratio", least=6.0)) for p in PRECISIONS),
    Row("walk", "roach", "float64", 1, Goal("simulated_over_wall", least=1.0)),
    Row("walk", "roach", "float64", 8, Goal("wall_over_one", most=2.0)),
    Row("walk", "roach", "float32", 16),
    Row("reflex walker", "geyer-herr", "float64", 1, Goal("simulated_over_wall", least=150.0)),
    *(Row("reflex walker", "geyer-herr", p, 1000) for p in PRECISIONS),
    Row("memory", "roach", "float64", 100_000, Goal("bytes_over_state", most=2.0)),
    Row("memory", "roach", "float32", 100_000, Goal("bytes_over_state", most=2.0)),
    *(Row("simbenchmark", scene, "float64", 1, Goal("error", most=most)) for scene, most in SCENE_GOALS.items()),
    *(Row("simbenchmark", scene, "float32", 1, Goal("ratio", least=1.0)) for scene in SCENES_BESIDE_MUJOCO),
    *(Row("simbenchmark", "10648 rough balls", p, 1) for p in PRECISIONS),
    Row("cloth frame", "6561 points", "float64", 1, Goal("cpu_ms_per_frame", most=50.0)),
    Row("large cloth", "150156 points", "float64", 1, Goal("over_small", most=2.0)),
    Row("cloth of edges", "1681 points", "float64", 1, Goal("ratio", least=1.0)),
    Row("rod", "cantilever", "float64", 1),
    *(Row("adaptive", model, "float64", 1) for model in ("rope", "leaves", "pendulum", "net", "snake")),
    *(Row("links", f"{n} links, 12 balls", "float64", 1, LINKS_GOAL) for n in (10, 50, 100, 300, 1000)),
    *(Row("links", f"100 links, {n} balls", "float64", 1, LINKS_GOAL) for n in (24, 48, 96)),
    *(Row("penalty links", f"{n} links, 12 balls", "float64", 1, LINKS_GOAL) for n in (50, 100, 300, 1000)),
    *(Row("loops", f"{n} windows", "float64", 8, Goal("compile_s", most=20.0)) for n in (1, 5, 10, 20, 40)),
    *(Row("particles", "rain", p, 1_000_000) for p in PRECISIONS),
    *EVOLVING,
    *(Row("poses", model, "float64", 1, Goal("pose_ms", most=1.0)) for model in ("humanoid", "roach")),
    *(Row("poses", model, "float64", 1000) for model in ("humanoid", "roach")),
    *(Row("plan", model, "float64", 1, goal) for model, goal in PLANS.items()),
    Row("plan cycle", "single rigid body", "float64", 1, Goal("cycle_cpu_ms", most=100.0)),
    Row("plan cycle", "whole body", "float64", 1),
    Row("own control", "Go2", "float64", 1, Goal("us_per_tick", most=100.0)),
    Row("own control", "Go2", "float64", 1000, Goal("us_per_tick", most=10_000.0)),
    Row("learning", "quadruped", "float32", 1024, Goal("ratio", least=20.0)),
    *(Row("learning", f"{n}-v5", "float32", 256) for n in ("HalfCheetah", "Hopper", "Walker2d", "Ant", "Humanoid")),
    Row("import", "roach", "float64", 1, Goal("import_s", most=0.3)),
    Row("first compile", "roach", "float64", 1, Goal("compile_s", most=10.0)),
    Row("from cache", "roach", "float64", 1, Goal("first_step_s", most=0.3)),
)
