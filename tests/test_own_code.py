"""Functions of the user by name: found in files and modules, and errors that name what is missing and the line."""

import re
from pathlib import Path

import pytest

from gambol.errors import GambolError
from gambol.own_code import load_callable

LAW = """from dataclasses import dataclass

GAIN = 3.0

@dataclass
class Law:
    gain: float = GAIN

def double(x):
    return 2 * x
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_law_of_tests.py").write_text(LAW)
    return tmp_path


@pytest.mark.parametrize("place", ["my_law_of_tests.py", "my_law_of_tests", "./my_law_of_tests.py"])
def test_functions_and_classes_are_found(place: str):
    assert load_callable(f"{place}:double")(4.0) == 8.0
    assert load_callable(f"{place}:Law")().gain == 3.0


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("double", '"double" is neither MODULE:NAME nor FILE.py:NAME'),
        (":double", "is neither MODULE:NAME"),
        ("my_law_of_tests.py:", "is neither MODULE:NAME"),
        ("my_law_of_tests.py:duble", 'no object "duble"; did you mean "double"?'),
        ("my_law_of_tests.py:GAIN", '"GAIN" of "my_law_of_tests.py" is a float, not a function'),
        ("missing.py:double", 'there is no file "missing.py"'),
        ("no_such_module_at_all:double", 'there is no module "no_such_module_at_all"'),
    ],
)
def test_wrong_addresses_are_errors(address: str, message: str):
    with pytest.raises(GambolError, match=re.escape(message)):
        load_callable(address)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1\ny = x / 0\n", r"raised ZeroDivisionError in line 2 of .*broken_of_tests.py"),
        ("def f(:\n", r"raised SyntaxError in line 1 of .*broken_of_tests.py"),
        ("raise SystemExit(3)\n", r"raised SystemExit in line 1 of .*broken_of_tests.py"),
        ("\nimport no_such_module_at_all\n", r'imports the missing module "no_such_module_at_all" in line 2 of'),
    ],
)
@pytest.mark.parametrize("place", ["broken_of_tests.py", "broken_of_tests"])
def test_errors_in_a_module_name_its_line(folder: Path, place: str, text: str, message: str):
    (folder / "broken_of_tests.py").write_text(text)
    with pytest.raises(GambolError, match=message):
        load_callable(f"{place}:f")
