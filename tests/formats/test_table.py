"""Reading TOML tables: values, overlays, and errors that name file, key and remedy."""

import pytest

from gambol.errors import GambolError
from gambol.formats import read_table

TEXT = """
name = "beetle"
[leg]
size = [1, 2.5, 3]
mass = 2
turns = [["x", 90], ["y", 45]]
rows = [{ a = 1 }, { a = 2 }]
flag = true
[leg.spring]
alpha = 1.0
beta = 16
"""
TABLE = read_table(TEXT, "beetle.toml")
LEG = TABLE.table("leg")


def test_values_come_out_as_they_are_written():
    assert TABLE.text("name") == "beetle"
    assert LEG.triple("size") == (1.0, 2.5, 3.0)
    assert LEG.number("mass") == 2.0
    assert LEG.number("length", 7.0) == 7.0
    assert (LEG.boolean("flag"), LEG.boolean("none", False)) == (True, False)
    assert (LEG.numbers("size"), LEG.numbers("mass"), LEG.numbers("none", (5.0,))) == ((1.0, 2.5, 3.0), (2.0,), (5.0,))
    assert [turn.text("axis") for turn in LEG.pairs("turns", ("axis", "degrees"))] == ["x", "y"]
    assert [row.number("a") for row in LEG.tables("rows")] == [1.0, 2.0]
    assert LEG.tables("none") == ()
    assert "spring" in LEG
    assert "sprang" not in LEG


def test_an_overlay_changes_only_what_it_names():
    changes = read_table("[leg.spring]\nalpha = 3\n", "beetle.toml")
    spring = TABLE.merged(changes, "beetle.toml (set tuned)").table("leg").table("spring")
    assert (spring.number("alpha"), spring.number("beta")) == (3.0, 16.0)
    assert spring.where == "beetle.toml (set tuned): leg.spring"
    assert LEG.table("spring").number("alpha") == 1.0


@pytest.mark.parametrize(
    ("read", "why"),
    [
        (lambda: LEG.number("mas"), r'beetle.toml, line 3: leg: "mas" is missing.*did you mean "mass"'),
        (lambda: LEG.number("size"), r"beetle.toml, line 4: leg.size is \[1, 2.5, 3\]; it should be a finite number"),
        (lambda: LEG.number("flag"), "it should be a finite number"),
        (lambda: LEG.triple("mass"), "it should be a list of three numbers"),
        (lambda: LEG.text("mass"), "it should be a text in quotes"),
        (
            lambda: TABLE.text("name", allowed=("roach", "beatle")),
            'beetle.toml, line 2: name: "beetle".*did you mean "beatle"',
        ),
        (lambda: LEG.table("mass"), "it should be a table"),
        (lambda: LEG.tables("mass"), "it should be a list in brackets"),
        (lambda: LEG.tables("turns")[0], "beetle.toml, line 6: leg.turns.1 is .*; it should be a table"),
        (
            lambda: LEG.pairs("size", ("axis", "degrees")),
            "beetle.toml, line 4: leg.size.1 is 1; it should be a list of axis",
        ),
        (
            lambda: LEG.check_keys("size", "mass", "turns", "rows", "spring", "flog"),
            r'toml, line 8: leg: the key "flag" is not known.*"flog"',
        ),
        (lambda: LEG.boolean("mass"), "line 5: leg.mass is 2; it should be true or false"),
        (lambda: LEG.numbers("rows"), "leg.rows.1 is .*; it should be a finite number"),
        (lambda: LEG.numbers("flag"), "leg.flag is True; it should be a list in brackets"),
        (lambda: read_table("a = " + "[" * 9999 + "]" * 9999, "beetle.toml"), "too deep"),
        (lambda: read_table("a = 1" + "0" * 9999, "beetle.toml"), "beetle.toml is not readable as TOML"),
        (lambda: read_table("a = 1" + "0" * 999, "beetle.toml").number("a"), "finite number"),
        (lambda: read_table("a = ", "beetle.toml"), "beetle.toml is not readable as TOML"),
        (lambda: read_table("a = nan", "beetle.toml").number("a"), "finite number"),
    ],
)
def test_errors_name_file_key_and_remedy(read, why):
    with pytest.raises(GambolError, match=why):
        read()
