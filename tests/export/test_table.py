"""The table of exporters, CSV beside pandas, and what formats leave out."""

import sys
from pathlib import Path

import numpy as np
import pytest

from gambol.errors import GambolError
from gambol.export import (
    EXPORTERS,
    Exporter,
    add_exporter,
    check_target,
    columns_of,
    export_film,
    write_bvh,
    write_csv,
    write_gltf,
)
from gambol.world import Film


def test_a_csv_has_every_number(film: Film, tmp_path: Path):
    export_film(film, tmp_path / "beast.csv")
    with (tmp_path / "beast.csv").open(encoding="utf-8") as file:
        names = file.readline().strip().split(",")
        numbers = np.loadtxt(file, delimiter=",")
    read = dict(zip(names, numbers.T, strict=True))
    np.testing.assert_array_equal(read["time [s]"], film.time)
    np.testing.assert_array_equal(read["left foot.z [m]"], film.position[:, 0, 2, 2])
    np.testing.assert_array_equal(read["head.qy"], film.quaternion[:, 0, 3, 2])
    np.testing.assert_array_equal(read["kinetic [J]"], 1.0)
    np.testing.assert_array_equal(read["stepping.left_foot"], film.signals["stepping"][:, 0, 0])
    assert len(columns_of(film, rate=10.0)["time [s]"]) == 21


@pytest.mark.parametrize(("write", "endings"), [(write_gltf, ".glb"), (write_bvh, ".bvh"), (write_csv, ".csv")])
def test_a_file_of_another_ending_is_refused_before_work(film: Film, tmp_path: Path, write, endings: str):
    with pytest.raises(GambolError, match=rf"files end in {endings}; .*beast\.fbx"):
        write(film, tmp_path / "beast.fbx")
    assert not list(tmp_path.iterdir())


def test_a_film_is_a_table_of_pandas_as_pandas_reads_the_csv(film: Film, tmp_path: Path):
    pandas = pytest.importorskip("pandas")
    export_film(film, tmp_path / "beast.csv")
    read = pandas.read_csv(tmp_path / "beast.csv")
    pandas.testing.assert_frame_equal(film.to_pandas(), read, rtol=1e-14, atol=0.0)  # its reader rounds the last digit
    assert len(film.to_pandas(rate=10.0)) == 21
    with pytest.raises(GambolError, match="no world 3"):
        film.to_pandas(world=3)


def test_the_error_without_pandas_names_the_extra(film: Film, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(GambolError, match=r"pip install 'gambol\[tables\]'"):
        film.to_pandas()


def test_what_a_format_leaves_out_is_noted(film: Film, tmp_path: Path):
    notes = export_film(film, tmp_path / "beast.bvh")
    assert any("links become bones" in note for note in notes)
    assert any("signals" in note for note in notes)


@pytest.mark.parametrize(
    ("name", "options", "text"),
    [
        ("beast.glbb", {}, 'suffix ".glbb" is not known; the known suffixes are .glb, .usda'),
        ("beast", {}, "the known suffixes are"),
        ("beast.csv", {"skin": True}, "CSV files have no option skin"),
    ],
)
def test_impossible_input_is_refused_before_work(tmp_path: Path, name: str, options: dict, text: str):
    with pytest.raises(GambolError, match=text):
        check_target(tmp_path / name, options)


def test_a_format_from_outside_is_one_row(film: Film, tmp_path: Path):
    def write(film: Film, path: Path, *, digits: int = 3) -> Path:
        path.write_text(f"{film.duration:.{digits}f}", encoding="utf-8")
        return path

    try:
        add_exporter(".duration", Exporter("duration", write, {}))
        assert export_film(film, tmp_path / "a.duration", digits=1) == []
        assert (tmp_path / "a.duration").read_text(encoding="utf-8") == "2.0"
        with pytest.raises(GambolError, match="already"):
            add_exporter(".duration", Exporter("duration", write, {}))
    finally:
        EXPORTERS.pop(".duration", None)
