"""An evolved walk becomes a walk of least effort: a plan takes phases and first guess from the film of the walk."""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

import gambol
from gambol.creatures.directed import directed_creature, directed_world
from gambol.evolve.genotype import read_genotype
from gambol.evolve.runs import Settings
from gambol.plan import Cost, Cycle, Plan, Point, Pose, phases_of_film, solve
from gambol.plan.track import track, tracking_task, trajectory_film

FEET = ("hind left 2", "hind right 2", "fore left 2", "fore right 2")  # the last links of the legs

genotype = read_genotype(Path(__file__).parent / "genotypes" / "dog_without_toes.toml")
creature = directed_creature(genotype, Settings("natural", "dog", "stride"), "dog")
world = directed_world(lambda _: creature)
figure = world.figure
film = gambol.run(world, gambol.start(world), 4.0, rate=120.0)
tips = {link: figure.link(link).contact_points()[0] for link in FEET}
points = tuple(Point(f"foot {link}", link, tip.position, tip.radius) for link, tip in tips.items())

# half a stride: from a diagonal stance to its mirror image
phases = phases_of_film(figure, film, points)
seconds = np.array([phase.duration for phase in phases], float)
starts = np.cumsum([0.0, *seconds])
diagonals = [{"foot hind right 2", "foot fore left 2"}, {"foot hind left 2", "foot fore right 2"}]
first = next(k for k, phase in enumerate(phases) if starts[k] > 2.0 and {*phase.contacts} == diagonals[0])
last = next(k for k, phase in enumerate(phases) if k > first and {*phase.contacts} == diagonals[1])
half_stride = film.between(starts[first] - 1e-9, starts[last] + 1e-9)
travel = float(half_stride.position[-1, 0, 0, 0] - half_stride.position[0, 0, 0, 0])
print(f"half a stride of {half_stride.time[-1] - half_stride.time[0]:.3f} s and {travel:.3f} m")

bounds = {name: (spring.lower, spring.upper) for name, spring in world.springs.items()}
motors = [link.name for link in figure.links if link.joint.kind == "revolute"]
pairs = tuple((name, name.replace("left", "right")) for name in motors if "left" in name)
plan = Plan(
    figure,
    tuple(
        replace(phase, landing="smooth", intervals=max(2, round(duration / 0.02)))
        for phase, duration in zip(phases[first:last], seconds[first:last], strict=True)
    ),
    "dog",
    torques=dict.fromkeys(motors, 60.0),  # N m
    limits=bounds,
    springs=world.springs,
    points=points,
    friction=1.0,
    clearance=0.01,
    start=Pose(positions={"trunk": (None, None, None, None, 0.0, None, None)}),
    cycle=Cycle(travel, mirrored=True, pairs=pairs),
    costs=(Cost("effort"), Cost("acceleration", 1e-3)),
)
result = solve(plan, start_from=half_stride)
assert result.solved, result.message
print(f"cost {result.cost:.4g} after {result.iterations} iterations")
tracking = track(result, cycles=3)
print(f"three strides in the simulation: {tracking.error:.1e} of the amplitude from the plan")
assert tracking.error < 0.05

if len(sys.argv) > 1:  # a folder for a page and a picture
    stride = trajectory_film(tracking_task(result).trajectory, rate=240.0, name="dog, least effort")
    gambol.write_page(stride, Path(sys.argv[1]) / "gait.html")
    gambol.write_picture(stride, Path(sys.argv[1]) / "gait.png", whole=True)
