import pytest

from gambol.formats import atomic_write


def test_a_failed_write_leaves_the_old_file_whole(tmp_path):
    (tmp_path / "old.txt").write_text("old")
    with pytest.raises(ZeroDivisionError), atomic_write(tmp_path / "old.txt") as temporary:
        temporary.write_text(f"half {1 / 0}")
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("old.txt", "old")]
