"""Genotypes in files and archives: every bit is preserved, and errors name the place and the remedy."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gambol.control.patterns import PATTERNS
from gambol.errors import EvolveError, GambolError
from gambol.evolve.genotype import (
    PLANS,
    Control,
    Genotype,
    genotype_text,
    grow,
    of_json,
    plan_named,
    read_genotype,
    to_json,
    write_genotype,
)
from gambol.evolve.genotype.body import Trunk
from gambol.evolve.genotype.breeding import space_of
from gambol.evolve.genotype.genotype import with_neutral_control

HAND_WRITTEN = """
format = "gambol genotype 1"
[trunk]
length = 0.6
[[limbs]]
at = [0.5, 1.0, -1.0]
[[limbs.segments]]
length = 0.3
[[limbs]]
at = [-1.0, 0.0, 0.0]
mirrored = false
[[limbs.segments]]
pitch = 1.5707963267948966
freedoms = [{ elevation = 1.0 }, { kind = "prismatic", reach = 0.5 }]
"""


@given(st.sampled_from([*PLANS, "free"]), st.sampled_from([*PATTERNS]), st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_every_bit_comes_back(tmp_path_factory, body, kind, seed):
    genotype = space_of(body, Control(kind)).random(np.random.default_rng(seed))
    assert of_json(json.loads(json.dumps(to_json(genotype)))) == genotype
    path = tmp_path_factory.mktemp("genotypes") / "one.toml"
    write_genotype(genotype, path)
    assert read_genotype(path) == genotype


def test_dictionaries_that_others_wrote_are_read_with_care():
    """Whole numbers become floats, tuples may be lists; values that are neither true nor false are reported."""
    data = to_json(with_neutral_control(Genotype(plan_named("quadruped"))))
    data["trunk"]["length"], data["limbs"][0]["at"] = 1, [1, 1, 0]
    read = of_json(data)
    assert (type(read.body.trunk.length), read.body.trunk.length) == (float, 1.0)
    assert [type(x) for x in read.body.limbs[0].at] == [float] * 3
    del data["trunk"]["width"]
    assert of_json(data).body.trunk.width == Trunk().width
    for wrong in (1, "yes"):
        data["limbs"][0]["mirrored"] = wrong
        with pytest.raises(GambolError, match=r"mirrored.*true or false"):
            of_json(data)


def test_missing_keys_have_defaults(tmp_path):
    path = tmp_path / "hand.toml"
    path.write_text(HAND_WRITTEN)
    genotype = read_genotype(path)
    assert genotype == with_neutral_control(Genotype(genotype.body))
    assert genotype.body.trunk.width == 0.2
    assert [limb.mirrored for limb in genotype.body.limbs] == [True, False]
    assert [freedom.kind for freedom in genotype.body.limbs[1].freedoms] == ["revolute", "prismatic"]
    assert len(grow(genotype).actuators) == 4


def test_archives_and_old_files_have_the_old_kinds_of_freedoms_and_new_files_the_new_ones(tmp_path):
    """A run is resumed only if a genotype is stored as before, so archives keep the earlier names."""
    path = tmp_path / "hand.toml"
    path.write_text(HAND_WRITTEN)
    genotype = read_genotype(path)
    text = genotype_text(genotype)
    old = text.replace('"revolute"', '"rotary"').replace('"prismatic"', '"sliding"')
    path.write_text(old)
    assert text != old
    assert read_genotype(path) == genotype
    stored = to_json(genotype)
    assert {f["kind"] for limb in stored["limbs"] for s in limb["segments"] for f in s["freedoms"]} == {
        "rotary",
        "sliding",
    }
    assert of_json(stored) == genotype


@pytest.mark.parametrize(
    ("was", "is_now", "message"),
    [
        ("genotype 1", "genotype 2", 'one.toml, line 1: format: "gambol genotype 2" is of another version.*genotype 1'),
        ("gambol genotype", "gambol figure", "is not the format of a genotype"),
        (
            "[trunk]\nlength",
            "[trunk]\nlenght",
            'line 4: trunk: the key "lenght" is not known.*"length"',
        ),
        (
            "[trunk]\nlength = 0.5",
            "[trunk]\nlength = 5.5",
            "line 3: trunk has length = 5.5 m.* 0.02 to 1.5 m.*1.5",
        ),
        ("[trunk]\nlength = 0.5", "[trunk]\nlength = nan", "length is nan; it should be a finite number"),
        (
            "at = [0.8, 1.0, -0.5]",
            "at = [0.8, 0.1, -0.5]",
            "limbs.1 has y = 0.1, .* 0.3 to 1 of a mirrored limb",
        ),
        ("mirrored = true", 'mirrored = "yes"', "it should be true or false"),
        ('"revolute"', '"hinge"', 'freedoms.1.kind: "hinge" is not allowed'),
        ("reach = 0.6", "reach = 6.0", "limbs.1.segments.1.freedoms.1 has reach = 6 rad"),
        ('kind = "spectral"', 'kind = "spectrum"', 'did you mean "spectral"'),
        ('"frequency" = 2.25', '"frequency" = 22.5', 'gene "frequency" is 22.5'),
        ('"frequency" = 2.25', '"fequency" = 2.25', 'the key "fequency" is not known here; did you mean "frequency"'),
        ('"frequency" = 2.25', "", '"frequency" is missing'),
        ("shifts = [0.5, 0.5]", "shifts = [0.5]", "has 1 shifts; give 2"),
        ('senses = ["angles"', 'senses = ["angels"', 'cannot sense "angels"; did you mean "angles"'),
        ("[control]", "[controls]", 'the key "controls" is not known here; did you mean "control"'),
        ("[trunk]", "[trunk", "not readable as TOML"),
    ],
)
def test_errors_name_place_and_remedy(tmp_path, was, is_now, message):
    text = genotype_text(with_neutral_control(Genotype(plan_named("quadruped"))))
    assert was in text
    path = tmp_path / "one.toml"
    path.write_text(text.replace(was, is_now, 1))
    with pytest.raises(GambolError, match=message):
        read_genotype(path)


@pytest.mark.parametrize("field", ["format", "trunk", "limbs", "control"])
def test_archived_genotypes_are_checked_too(field):
    data = to_json(with_neutral_control(Genotype(plan_named("biped"))))
    with pytest.raises(GambolError, match="individual 7"):
        of_json(data | {field: 7}, "individual 7")


def test_a_missing_or_binary_file_is_an_error(tmp_path):
    with pytest.raises(EvolveError, match="cannot be read"):
        read_genotype(tmp_path / "none.toml")
    (tmp_path / "odd.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(EvolveError, match="UTF-8"):
        read_genotype(tmp_path / "odd.toml")


def test_the_page_on_genotypes_can_be_followed(tmp_path):
    page = (Path(__file__).parents[3] / "docs" / "use" / "genotypes.md").read_text()
    (program,), (file,) = (
        re.findall(rf"^```{kind}\n(.*?)^```", page, re.DOTALL | re.MULTILINE) for kind in ("python", "toml")
    )
    exec(compile(program, "genotypes.md", "exec"), {})
    (tmp_path / "hand.toml").write_text(file)
    assert len(grow(read_genotype(tmp_path / "hand.toml")).actuators) == 4
