"""Every option and argument of every command, given hostile values: one line and an exit code, no traceback.

The table of commands is that of the command line itself, so new options are tested automatically. A command whose
values are accepted is stopped at the beginning of its work.
"""

import shutil
import webbrowser
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest
from invoked import TINY, invoke
from model_files import HOPPER
from typer.main import get_command

from gambol.cli import app as command
from gambol.cli import session
from gambol.cli.evolve import lineage_command, replay_command
from gambol.cli.figures import collision, inspection, running, viewing
from gambol.cli.measure import measure_command
from gambol.cli.plan import plan_command
from gambol.cli.walk import together
from gambol.cli.zoo import creatures
from gambol.errors import GambolError
from gambol.evolve.runs import Run
from gambol.view import opengl

BEGAN = "the work began"
MAX_SECONDS = 10.0  # s

NUMBERS = ("-1", "0", "nan", "inf", "-inf", "1e308", "-1e308", "1e-308", *(str(2**n) for n in (31, 63, 70)), 5000 * "9")
TEXTS = ("", " ", "a\0b", "\x1b[2J", "-", "é\udcff", 300 * "a", 5000 * "a", "$HOME", "{{film}}", "[/x]", "1:2:3", "::")
PATHS = (
    "folder", "file", "file/below", "missing/below", "folder/" + 300 * "a", 100 * "long/", "/dev/null", "/dev/full",
    "loop", 250 * "a" + ".html", 300 * "a" + ".toml", "folder.toml", "empty.toml", "nowhere.toml",
)  # fmt: skip
ENDINGS = (".toml", ".csv", ".npy", ".mp4", ".html", ".png", ".db", ".corpus", ".urdf", ".xml")
FILES = [f"{name}{ending}" for name in ("folder", "empty", "binary", 250 * "a", 300 * "a") for ending in ENDINGS]

BLOCK = Path(__file__).parents[2] / "examples" / "plans" / "block.toml"

GIVEN = {
    "walk": ["--parameters", "thesis", "--seconds", "0.01"],
    "direct": ["hound", "--seconds", "0.01"],
    "together": ["hound", "--seconds", "0.01"],
    "run": ["hopper.toml", "--seconds", "0.01"],
    "measure": ["dog", "--seconds", "0.01"],
    "inspect": ["hopper.toml", "--picture", "hopper.png"],
    "view": ["hopper.toml", "--no-open"],
    "zoo": ["roach", "--seconds", "0.01"],
    "collision": ["hopper.toml", "--picture", "hopper.png"],
    "convert": ["hopper.toml", "hopper.xml"],
    "examples": ["examples"],
    "evolve": TINY,
    "lineage": ["1", "--db", "evolve.db", "--films", "1"],
    "replay": ["1", "0", "--db", "evolve.db"],
    "breed": ["new"],
    "compare": ["es", "random", *TINY],
    "compete": ["cat", "lizard", "--population", "8", "--generations", "1"],
    "plan": [str(BLOCK)],
}
"""Words with which every command does its work."""


GROUP: Any = get_command(command.app)


def parameters():
    """Return every parameter that takes a value, as the names of its command and of itself."""
    for name, one in GROUP.commands.items():
        for parameter in one.params:
            if not getattr(parameter, "is_flag", False) and parameter.name != "help":
                yield pytest.param(name, parameter.name, id=f"{name}-{parameter.name}")


PARAMETERS = list(parameters())


def caption(name, parameter, value):
    """The words of a command with one of its parameters changed."""
    params = {one.name: one for one in GROUP.commands[name].params}
    if params[parameter].param_type_name == "option":
        return [name, *GIVEN[name], params[parameter].opts[0], value]
    place = [one.name for one in params.values() if one.param_type_name == "argument"].index(parameter)
    given = GIVEN[name]
    count = next((k for k, word in enumerate(given) if word.startswith("--")), len(given))
    arguments = given[:count] + ["1"] * (place + 1 - count)
    return [name, *given[count:], "--", *arguments[:place], value, *arguments[place + 1 :]]


@pytest.fixture(scope="module")
def bred(tmp_path_factory):
    """The archive of a tiny run."""
    folder = tmp_path_factory.mktemp("bred")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(opengl, "can_render", lambda: False)
        result = invoke("evolve", *TINY, "--out", folder)
    assert result.exit_code == 0, result.output
    return folder / "evolve.db"


@pytest.fixture
def folder(monkeypatch, tmp_path, bred):
    """A folder with files of all kinds; commands do no work in it."""

    def began(*_args, **_more):
        raise GambolError(BEGAN)

    for module, work in (
        (session, "simulate_walk"), (session, "simulate"), (running, "run"), (inspection, "draw"),
        (lineage_command, "film_individual"),
        (replay_command, "replay"), (Run, "execute"), (webbrowser, "open"), (plan_command, "solve"),
        (collision, "write_collision_flow"), (measure_command, "simulate"), (viewing, "write_page"),
        (creatures, "simulate_walk"), (together, "run"),
    ):  # fmt: skip
        monkeypatch.setattr(module, work, began)
    for module in (session, inspection, opengl):
        monkeypatch.setattr(module, "require_render", lambda what: None, raising=False)
    monkeypatch.setattr(opengl, "can_render", lambda: False)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.chdir(tmp_path)
    shutil.copy(bred, "evolve.db")
    Path("hopper.toml").write_text(HOPPER)
    Path("file").write_text("mine")
    Path("loop").symlink_to("loop")
    Path("folder").mkdir()
    for ending in ENDINGS:
        Path(f"empty{ending}").touch()
        Path(f"binary{ending}").write_bytes(bytes(range(256)))
        Path(f"folder{ending}").mkdir()
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_every_command_has_words_with_which_it_works():
    assert GIVEN.keys() == GROUP.commands.keys()
    for name, given in GIVEN.items():
        result = invoke(name, *given)
        assert (BEGAN in result.stderr) == (name not in ("convert", "examples")), (name, result.output)


def called(words):
    """Return a command's exit code, its standard output and error, and the error that ended it otherwise."""
    code, failure = None, None
    with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
        try:
            GROUP.main(words, prog_name="gambol")
        except SystemExit as ending:
            code = ending.code
        except BaseException as error:
            failure = error
    return code, out.getvalue(), err.getvalue(), failure


def check(name, parameter, values):
    for value in values:
        started = perf_counter()
        code, out, err, failure = called(caption(name, parameter, value))
        where = f"{name} {parameter} {value[:60]!r}: {code} {out[-200:]} {err[-300:]}"
        assert failure is None, f"{where}\n{failure!r}"
        assert code in (0, 1, 2), where
        assert perf_counter() - started < MAX_SECONDS, where
        if code == 2:
            assert any(line.startswith("Error: ") for line in err.splitlines()), where
            assert max(map(len, err.splitlines())) < 1000, where
        assert Path("file").read_text() == "mine", where


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("name", "parameter"), PARAMETERS)
def test_no_value_ends_in_a_traceback(name, parameter):
    check(name, parameter, (*NUMBERS, *TEXTS, *PATHS))


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("name", "parameter"), PARAMETERS)
def test_no_file_ends_in_a_traceback(name, parameter):
    check(name, parameter, FILES)
