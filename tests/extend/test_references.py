"""Tasks, terms and searches of a module outside the package, by reference, as docs/extend/references.md names them."""

import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from invoked import invoke
from pages import DOCS

from gambol.cli.evolve.breed_command import BreedCommand
from gambol.control.gene import Gene
from gambol.errors import EvolveError
from gambol.evolve import Settings, references
from gambol.evolve import run as evolve
from gambol.evolve.archive import Archive
from gambol.evolve.evaluate import evaluate_genotypes, film_rollout, search_setup
from gambol.evolve.fitness import WeightedTerm
from gambol.evolve.genotype import VERSION, Control, Genotype, of_json, plan_named, write_genotype
from gambol.evolve.genotype.genotype import control_kind, pattern_of, with_neutral_control
from gambol.evolve.references import allow_modules, allow_references, is_reference
from gambol.evolve.runs import load_individual, make_worker_pool, resume_run
from gambol.evolve.runs import replay as replay_individual
from gambol.evolve.runs.resume import VersionWarning
from gambol.evolve.search import BoxSpace, search_named
from gambol.evolve.tasks import Task, task_named
from gambol.view import opengl

MODULE, EVOLVE = re.findall(
    r"^```python\n(.*?)^```", (DOCS / "extend/references.md").read_text(), re.DOTALL | re.MULTILINE
)

SPACE = BoxSpace((Gene("x", -1.0, 1.0),))

FAULTY = """
def nothing(trajectory): pass
def one(trajectory): return 1.0
def words(trajectory): return ["far"] * len(trajectory.length)
def fails(trajectory):
    return trajectory.nose
number = 3
def body(): return number / 0
"""


@pytest.fixture(autouse=True)
def nothing_is_allowed(monkeypatch: pytest.MonkeyPatch):
    """A process that has allowed no module yet."""
    monkeypatch.setattr(references, "_allowed", set())


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """The names of the page's second block; its first block is the module mylab, beside it faulty."""
    (tmp_path / "mylab.py").write_text(MODULE)
    (tmp_path / "faulty.py").write_text(FAULTY)
    (tmp_path / "broken.py").write_text("import no_such_package")
    monkeypatch.syspath_prepend(tmp_path)
    names: dict[str, Any] = {}
    exec(compile(EVOLVE, "references.md", "exec", dont_inherit=True), names)
    yield names
    for name in ("mylab", "faulty", "broken"):
        sys.modules.pop(name, None)


def forget(*modules: str):
    """Become a process that has neither allowed nor imported these modules."""
    references._allowed.clear()
    for name in modules:
        sys.modules.pop(name, None)


def test_a_stored_reference_imports_nothing_until_its_module_is_allowed(page: dict[str, Any], tmp_path: Path):
    file = tmp_path / "bows.db"
    result = page["evolve_bows"](file)
    forget("mylab")
    with Archive(str(file)) as archive, make_worker_pool("here") as pool:
        best = load_individual(archive, result.run, archive.best(result.run)[0].number)
        for work in (
            lambda: replay_individual(best, evaluate_genotypes),
            lambda: resume_run(archive, result.run, search_setup),
        ):
            with pytest.raises(EvolveError, match=r'"mylab:task" is code of the module mylab.*--allow mylab'):
                work()
        assert "mylab" not in sys.modules
        allow_modules("mylab")
        outcome, same = replay_individual(best, evaluate_genotypes)
        assert same
        more = replace(best.settings, generations=3)
        assert resume_run(archive, result.run, search_setup, more).execute(pool).generations == 3
    film = film_rollout(best.settings, best.individual.genotype)
    w, x, y, z = np.moveaxis(film.quaternion[film.time >= 0.5 - 1e-9, 0, 0], -1, 0)
    nose = 2.0 * (w * y - x * z)  # minus the height of the trunk's x axis
    assert outcome.terms["mylab:bow"] == pytest.approx(nose.max(), abs=0.02)


def test_worker_processes_import_the_module_and_give_the_same_outcomes(page: dict[str, Any], tmp_path: Path):
    def outcomes(file: Path, executor: str) -> list[str]:
        run = page["evolve_bows"](file, executor).run
        with Archive(str(file)) as archive:
            return [repr(one.outcome) for one in archive.individuals(run, 1)]

    assert outcomes(tmp_path / "processes.db", "processes") == outcomes(tmp_path / "threads.db", "threads")


def test_the_commands_of_the_page(page: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(opengl, "can_render", lambda: False)
    monkeypatch.chdir(tmp_path)
    small = ("--population", "8", "--generations", "1", "--trials", "1", "--seconds", "1.5", "--executor", "here")
    result = invoke("evolve", "mylab:task", "--search", "mylab:Wide", *small)
    assert result.exit_code == 0, result.output
    assert "gambol lineage 1 --allow mylab --open" in result.output
    assert Path("out/mylab-task.toml").is_file()
    forget("mylab")
    for words in (("replay",), ("lineage", "1", "--films", "1"), ("evolve", "--resume", "1", "--generations", "2")):
        refused = invoke(*words)
        assert refused.exit_code == 2
        assert "--allow mylab" in refused.output
        assert "mylab" not in sys.modules
    allowed = invoke("replay", "--allow", "mylab")
    assert allowed.exit_code == 0, allowed.output
    assert "to the last bit" in allowed.output


def test_a_body_and_a_control_of_the_page_evolve_and_replay(
    page: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The legs are those of the body, one revolute joint each; all signals have the first one's frequency."""
    monkeypatch.setattr(opengl, "can_render", lambda: False)
    file = str(tmp_path / "own.db")
    settings = Settings(
        task="mylab:bow", body="mylab:walker", control="mylab:OneRhythm",
        population=6, generations=1, seconds=1.5, trials=1, search="random",
    )  # fmt: skip
    run = evolve(settings, file, executor="processes", workers=1).run
    forget("mylab")
    with Archive(file) as archive:
        number = archive.best(run)[0].number
        refused = load_individual(archive, run, number)
        with pytest.raises(EvolveError, match=r'"mylab:\w+" is code of the module mylab.*--allow mylab'):
            replay_individual(refused, evaluate_genotypes)
        allow_modules("mylab")
        best = load_individual(archive, run, number)
        assert replay_individual(best, evaluate_genotypes)[1]
    genotype = of_json(best.individual.genotype)
    assert [len(limb.segments) for limb in genotype.body.limbs] == [1, 1]
    frequencies = pattern_of(genotype).numbers()["frequency"]
    assert len(frequencies) == 4
    assert len(set(frequencies)) == 1
    write_genotype(genotype, tmp_path / "own.toml")
    forget("mylab")
    commands = (("run", "--seconds", "0.1"), ("inspect", "--picture", tmp_path / "own.png"), ("view",), ("convert",))
    for command, *options in commands:
        files = (tmp_path / "own.toml", tmp_path / "own.xml") if command == "convert" else (tmp_path / "own.toml",)
        refused = invoke(command, *files, *options)
        assert refused.exit_code == 2
        assert "--allow mylab" in refused.output
    allowed = invoke("inspect", tmp_path / "own.toml", "--picture", tmp_path / "own.png", "--allow", "mylab")
    assert "degrees of freedom  10" in allowed.output  # a free trunk and four legs


def test_a_changed_module_is_a_warning(page: dict[str, Any], tmp_path: Path):
    file = str(tmp_path / "bows.db")
    run = page["evolve_bows"](file).run
    with Archive(file) as archive:
        assert len(archive.run(run).versions["module mylab"]) == 16
        number = archive.best(run)[0].number
        load_individual(archive, run, number, {"genotype": str(VERSION)})  # a warning would be an error
        forget("mylab")
        allow_modules("mylab")
        (tmp_path / "mylab.py").write_text(f"# another one\n{MODULE}")
        with pytest.warns(VersionWarning, match=r"module mylab \w{16} then and \w{16} now"):
            load_individual(archive, run, number)
        with pytest.warns(VersionWarning, match="module mylab"):
            resume_run(archive, run, search_setup)


@pytest.mark.usefixtures("page")
def test_faulty_bodies_and_controls_are_named():
    allow_modules("faulty", "mylab")
    for name, message in (
        ("faulty:body", 'the body "faulty:body" raised ZeroDivisionError in line 8 of .*faulty.py: division by zero'),
        ("faulty:number", 'the body "faulty:number" is 3; give a Body, or a function'),
    ):
        with pytest.raises(EvolveError, match=message):
            plan_named(name)
    with pytest.raises(EvolveError, match=r'the control "mylab:bow" is <function.*give a class derived from Genetic'):
        control_kind("mylab:bow")


def test_breeding_takes_bodies_and_controls_by_reference(page: dict[str, Any], tmp_path: Path, monkeypatch: Any):
    """Bred creatures need the same permission as those of a search."""
    monkeypatch.chdir(tmp_path)
    started: list[Settings] = []
    monkeypatch.setattr(BreedCommand, "execute", lambda self, session: started.append(self._settings()) or 0)
    result = invoke("breed", "--body", "mylab:walker", "--control", "mylab:OneRhythm", "--population", "4")
    assert result.exit_code == 0, result.output
    assert (started[0].body, started[0].control) == ("mylab:walker", "mylab:OneRhythm")
    forget("mylab")
    assert invoke("breed", "1", "--allow", "mylab").exit_code == 0
    assert references.allowed_modules() == ("mylab",)


@pytest.mark.parametrize(
    ("task", "message"),
    [
        ("faulty:nothing", 'the term "faulty:nothing" returned nothing; return an array with one number'),
        ("faulty:one", r'the term "faulty:one" returned the shape \(\)'),
        ("faulty:words", 'the term "faulty:words" returned list'),
        ("faulty:fails", r'the term "faulty:fails" raised AttributeError: .*faulty.py, line 6'),
        ("faulty:number", 'the task "faulty:number" is 3; give a Task'),
        ("mylab:tusk", '"mylab" has no object "tusk"; did you mean "task"'),
        ("broken:task", 'imports the missing module "no_such_package" in line'),
    ],
)
def test_a_faulty_task_is_named_and_the_archive_stays_whole(
    page: dict[str, Any], tmp_path: Path, task: str, message: str
):
    file = tmp_path / "whole.db"
    settings = Settings(task=task, population=8, generations=1, seconds=1.3, trials=1)
    with pytest.raises(EvolveError, match=message):
        evolve(settings, file, executor="here")
    with Archive(str(file)) as archive:
        assert all(run.generations == 0 for run in archive.runs())


@pytest.mark.usefixtures("page")
def test_a_term_may_be_a_function_of_a_module():
    import mylab  # pyright: ignore[reportMissingImports]

    assert mylab.task.terms[0].term == "mylab:bow"
    assert Task.from_data(mylab.task.as_data()) == mylab.task
    assert task_named("mylab:bow").terms == (WeightedTerm(mylab.bow, 1.0),)
    with pytest.raises(EvolveError, match="other processes cannot import the term"):
        WeightedTerm(lambda trajectory: trajectory.length, 1.0)


@pytest.mark.usefixtures("page")
def test_a_search_is_a_dataclass_whose_fields_are_settings():
    allow_modules("mylab", "faulty")
    search = search_named("mylab:Wide", SPACE, 0, 4)
    assert type(search.algorithm).__name__ == "Wide"
    with pytest.raises(EvolveError, match='search "mylab:Wide" has no setting "width"'):
        search_named("mylab:Wide", SPACE, 0, 4, width=2)
    with pytest.raises(EvolveError, match='the search "faulty:number" is 3; give a dataclass'):
        search_named("faulty:number", SPACE, 0, 4)


def test_a_module_that_is_already_imported_must_be_allowed_too():
    with pytest.raises(EvolveError, match="code of the module os,"):
        search_named("os:system", SPACE, 0, 4)


def test_packages_allow_what_is_inside_them_and_nothing_else():
    allow_references({"task": "mylab.tasks:bow", "options": {"task": {"terms": [{"term": "other:leap"}]}}})
    assert references.allowed_modules() == ("mylab.tasks", "other")
    for name in ("mylab:bow", "mylab.tasks2:bow", "others:leap"):
        with pytest.raises(EvolveError, match="not allowed"):
            task_named(name)
    with pytest.raises(EvolveError, match=r'there is no module "other[.]inside"'):
        task_named("other.inside:leap")
    for name in ("", ":", "a:", ":b", "a:b:c", "a b:c", "../a:b", "a:b.c", "1a:b", "a" * 300 + ":b"):
        assert not is_reference(name)


def test_an_entry_point_needs_no_permission(page: dict[str, Any], tmp_path: Path):
    info = tmp_path / "mylab-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: mylab\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[gambol.tasks]\nbowing = mylab:task\nbad = broken:task\n")
    references._entry_points.cache_clear()
    try:
        assert task_named("bowing").seconds == 1.5
        with pytest.raises(
            EvolveError, match='the task "bad" is the entry point broken:task of the package mylab, which'
        ):
            task_named("bad")
    finally:
        references._entry_points.cache_clear()


@pytest.mark.parametrize(
    ("kind", "group", "load"),
    [
        ("task", "tasks", task_named),
        ("body", "bodies", plan_named),
        ("control", "controls", lambda name: with_neutral_control(Genotype(plan_named("quadruped"), Control(name)))),
        ("search", "searches", lambda name: search_named(name, SPACE, 0, 4)),
        ("term", "terms", lambda name: task_named("walk", terms=[{"term": name, "weight": 1.0}])),
    ],
)
def test_an_entry_point_that_cannot_be_loaded_is_named_with_its_package(
    page: dict[str, Any], tmp_path: Path, kind: str, group: str, load: Any
):
    """Each module fails in its own way: it is missing, raises, ends the process, or lacks the name."""
    info = tmp_path / "badlab-1.dist-info"
    info.mkdir()
    (tmp_path / "badlab_raises.py").write_text('raise RuntimeError("the licence server is away")')
    (tmp_path / "badlab_exits.py").write_text("raise SystemExit(3)")
    points = "missing = badlab_nowhere:x\nraises = badlab_raises:x\nexits = badlab_exits:x\nunnamed = json:no_such\n"
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: badlab\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[gambol.{group}]\n{points}")
    references._entry_points.cache_clear()
    try:
        for name, words in {
            "missing": "badlab_nowhere:x of the package badlab, which cannot be loaded: ModuleNotFoundError: No module",
            "raises": "badlab_raises:x of the package badlab, which cannot be loaded: RuntimeError: the licence server",
            "exits": "badlab_exits:x of the package badlab, which cannot be loaded: SystemExit: 3; repair the package",
            "unnamed": "json:no_such of the package badlab, which cannot be loaded: AttributeError: module 'json' has",
        }.items():
            with pytest.raises(EvolveError, match=f'the {kind} "{name}" is the entry point {words}'):
                load(name)
        with pytest.raises(EvolveError, match=f'no {kind} "absent"; .*or install the package that has it'):
            load("absent")
    finally:
        references._entry_points.cache_clear()
