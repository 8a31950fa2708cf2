"""Random courses: `python -m validation.courses [FAMILY ...]` walks them and writes the documentation page."""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from gambol.formats import atomic_write
from gambol.view import write_page
from validation.courses.course import COURSES, Family, Walked
from validation.courses.families import FAMILIES
from validation.courses.trails import write_trails

FOLDER = Path(__file__).parent
DOCS = Path(__file__).parents[2] / "docs" / "validation"
FILMS = Path(__file__).parents[2] / "out" / "validation" / "courses"
HEAD = f"""# Random courses

Made by `python -m validation.courses`. The tuned roach walks {COURSES} random courses of each family at once, from
fixed seeds; courses that steer begin with random offsets of 0.01 rad in its joints. The criteria for a walked course
were fixed before the first run. The families with a held heading and those at half the speed were added later, with the
same limits. The limits of the families with a lost leg were chosen after trials. The roach has fallen when its root is
lower than a quarter of the standing height. The program writes films of the courses that were not walked to
`out/validation/courses`.

On steps, slopes and hills the controller holds the heading, because otherwise the roach turns downhill on slopes. There
are five sets of reflexes: off; calibrated (step and load); search (elevator and foothold); uneven (step, stable,
elevator and foothold); climb (elevator, foothold and higher steps). Steps are walked with the contact method
"stepping", in time steps of 1/1200 s, because penalty contact gains energy on their steep faces; other grounds with
"penalty", and slopes with both. Some courses are close to failure: two runs that differ in rounding gave 13 and 15 of
16 with climb at a third of the speed. After the loss of a middle leg the uneven set slows the roach down. After the
loss of a hind leg the feet must be placed elsewhere. The set "agile" walks on the same grounds as the tuned roach.

The dog, Raibert's machines and the person begin their courses with offsets of 0.01 rad, too. Sizes of their courses
follow from their speed and their largest rate of turn. They do not know of slopes and steps, except for the dog, whose
law is told the slope. The person does not walk backward or sideways, and none of their laws can do without a leg. In
the first run the trot of
Raibert's quadruped fell on all courses, and its pace on all paths: its yaw was damped too weakly, and has twice the
damping now.

"""

CAUSES = """## What films of failures show

Films of 21 families were looked at, one or two courses of each; the others were not yet.

- **The roach on a step, half the speed, climb** (courses 0 and 5): the front legs stand on the step and raise the
  front while the hind legs still stand below; the trunk rears within 0.3 s, and falls over backward.
- **The roach on slopes** (fast, off, 5): it rears at 0.5 s, turns downhill, and is slow when it has turned back.
- **The roach without its hind left leg** (off, 0): in the steps of the middle left leg nothing bears the abdomen on
  this side; the trunk tips backward to it, at 0.6 s and again at 1.1 s. Without the hind right leg, with feet placed
  elsewhere (2): it keeps level, and slows down as it meets hills.
- **The roach turns** (1) **and goes sideways** (0; "agile", heading held, 9): no fall. Sideways the legs of one side
  step up to twice as often as those of the other, and stand in uneven turns.
- **"agile" at a step** (third of the speed, climb, 1): it rears within 0.2 s, at the edge of the step.
- **The dog at a step** (walk 4, trot 10): a fore foot stops at the edge, the head goes up, and the trunk rolls over
  within 0.2 s. **Downhill** (walk, 2) it gets faster, and dives over its fore legs; **uphill** (trot, 7) the fore
  legs give way at the start, and it falls on its nose.
- **The person at a step** (0): it falls on the flat ground above the step, with one leg swung too far to the back.
- **The person on slopes** (0 and 1, down 9 and 2 degrees): the last stride is much longer than those before, and the
  legs do not come under the trunk again.
- **Raibert's quadruped, trot, at a step** (3 and 7): the front feet stand on the step or at its edge while the hind
  feet are below; the trunk rolls over its front feet within 0.4 s.
- **In a pace** (1) it lands beside the step with legs spread sideways, **in a bound** (1) the front feet slip at the
  edge. In a pace downhill (0) it turns about the vertical by 180 degrees, and rolls over.
- **Raibert's quadruped, trot, downhill** (2 and 5): it goes faster from stride to stride, until the legs bear far
  behind their hips, and the trunk falls flat.
- **Raibert's hopper, downhill and on a step** (0 and 2; 7 and 8): after a landing it does not take off; the leg stays
  compressed, its foot behind the trunk, and the trunk pitches forward.

In the first runs the quadruped and the hopper fell before they came to the step: their law took the origin as the place
where the first stride began, while these courses begin up to 31 m beside it. Since this is mended, the quadruped climbs
11 (trot), 8 (pace) and 12 (bound) of 16 steps instead of 4, 1 and 2, and the hopper 12 instead of 3.
"""


def stored(walked: Walked) -> dict[str, Any]:
    """Return the outcomes as JSON."""
    rows = [{"failure": one.failure, **{k: round(x, 3) for k, x in one.measures.items()}} for one in walked.outcomes]
    return {"walked": sum(one.walked for one in walked.outcomes), "courses": rows}


def row(family: Family, numbers: dict[str, Any]) -> str:
    """Return the row of a family in the table."""
    courses = numbers["courses"]
    failures = [f"{k}: {one['failure']}" for k, one in enumerate(courses) if one["failure"]]
    names = [name for name in courses[0] if name != "failure"]
    medians = [f"{name} {np.median([abs(one[name]) for one in courses]):.1f}" for name in names]
    count = f"{numbers['walked']} of {len(courses)}"
    return f"| {family.title} | {count} | {'; '.join(medians)} | {'; '.join(failures) or '-'} |"


def page(rows: dict[str, dict[str, Any]]) -> str:
    """Return the page in Markdown. rows: stored outcomes by name of the family."""
    made = [family for family in FAMILIES if family.name in rows]
    lines = [HEAD, "| family | walked | medians of magnitudes | not walked |", "| --- | --- | --- | --- |"]
    lines += [row(family, rows[family.name]) for family in made]
    lines += ["", CAUSES.rstrip(), "", "## When a course is walked", ""]
    lines += [f"- **{family.title}**: {family.criterion}." for family in made]
    lines += [
        "",
        "## Trails from above",
        "",
        "Arrows are headings; units are cm, and m for the dog, the machines and the person.",
        "",
    ]
    for family in made:
        if (DOCS / f"courses-{family.name}.svg").exists():
            lines += [f"### {family.title}", "", f"![Trails: {family.title}](courses-{family.name}.svg)", ""]
    return "\n".join(lines).rstrip() + "\n"


def main(names: list[str]) -> int:
    """Walk families of courses, all if no names are given, and write the page; return 1 for an unknown name."""
    console, known = Console(markup=False), {family.name: family for family in FAMILIES}
    if unknown := [name for name in names if name not in known]:
        console.print(f'there is no family "{unknown[0]}"; families are {", ".join(known)}')
        return 1
    for name in names or list(known):
        with console.status(name):
            walked = known[name].walk()
        numbers = stored(walked)
        with atomic_write(FOLDER / f"{name}.json") as path:
            path.write_text(json.dumps(numbers, indent=1) + "\n")
        if known[name].trails:
            write_trails(walked, DOCS / f"courses-{name}.svg", known[name].trails)
        FILMS.mkdir(parents=True, exist_ok=True)
        for k, outcome in enumerate(walked.outcomes):
            if not outcome.walked:
                write_page(walked.film.of_worlds([k]), FILMS / f"{name}-{k}.html")
        console.print(row(known[name], numbers), soft_wrap=True)
    files = {name: FOLDER / f"{name}.json" for name in known}
    rows = {name: json.loads(path.read_text()) for name, path in files.items() if path.exists()}
    with atomic_write(DOCS / "courses.md") as path:
        path.write_text(page(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
