"""The command `gambol convert`: writes a figure, or the film of a motion, in another format."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from rich.text import Text

from gambol.cli.figures.creatures import is_creature, read_creature
from gambol.cli.figures.inspection import model_film
from gambol.cli.figures.sources import ReadOptions, convert_file, read_model
from gambol.cli.log import collected_warnings
from gambol.cli.output import VideoRequest
from gambol.cli.session import DONE, Session
from gambol.cli.targets import check_exports, check_target
from gambol.cli.video import check_video, render_options, take_indices, write_video_takes
from gambol.errors import GambolError
from gambol.export import EXPORTERS, export_film, walk_cycle
from gambol.formats import Model
from gambol.view.opengl import require_render
from gambol.world import Film

VIDEO = ".mp4"

POSE_OPTIONS = ("scale", "skin")
"""Options of films that also apply to a figure in its initial state."""


@dataclass(frozen=True, slots=True)
class FilmOptions:
    """Options of `gambol convert` for a film.

    rate, scale, skin, ground, root_motion: arguments of the formats' functions, None if not given. world: index of a
    world of the film. cycle: True for the stride that loops best; in_place: True to remove its travel. video: the
    options of a video, without its path.
    """

    rate: float | None = None
    scale: float | None = None
    skin: bool | None = None
    ground: bool | None = None
    root_motion: bool | None = None
    world: int | None = None
    cycle: bool = False
    in_place: bool = False
    video: VideoRequest = field(default_factory=VideoRequest)

    def given(self) -> dict[str, Any]:
        """Return the options of the formats' functions that are given."""
        named = {name: getattr(self, name) for name in ("rate", "scale", "skin", "ground", "root_motion")}
        return {name: value for name, value in named.items() if value is not None}

    def check_unused(self, used: Collection[str] = ()) -> None:
        """Raise GambolError if an option is given although the file is not a film. used: options that apply anyway."""
        others = {"world": self.world, "cycle": self.cycle or None, "in-place": self.in_place or None}
        for name, value in (self.given() | others).items():
            if value is not None and name not in used:
                raise GambolError(f"--{name.replace('_', '-')} is for films (.npz); a figure has no motion")
        self.check_no_video()

    def check_no_video(self) -> None:
        """Raise GambolError if an option of videos is given although no video is written."""
        for row in fields(self.video):
            if getattr(self.video, row.name) is not None:
                name = row.name if row.name == "camera" else f"video-{row.name}"
                raise GambolError(f"--{name} is for videos; give a file to write that ends in {VIDEO}")


def convert_to(
    session: Session, files: Sequence[Path], target: Path, options: ReadOptions, film_options: FilmOptions
) -> int:
    """Write files in another format and print notes; return the exit code, 0. Raises GambolError before any work.

    files: a figure, or films. options: options of the reader of a figure. film_options: for films only.
    """
    suffix = target.suffix.lower()
    with collected_warnings() as warnings, session.error_console.status(Text(f"writing {target}")) as status:
        if all(is_film(file, target) for file in files):
            notes = convert_films(files, target, film_options, lambda text: status.update(Text(text)))
        else:
            if suffix == VIDEO:
                raise GambolError(f"a figure has no motion; for a video: gambol run FILE --video {target}")
            film_options.check_unused(POSE_OPTIONS if suffix in EXPORTERS else ())
            if len(files) > 1:
                raise GambolError(f"{len(files)} files: only films (.npz) can be several; give one figure file")
            if suffix in EXPORTERS:
                notes = export_figure(files[0], target, options, film_options)
            else:
                notes = convert_file(files[0], target, options)
    session.warn(warnings)
    session.note(notes)
    session.print_line(f"wrote {target}")
    return DONE


def is_film(file: Path, target: Path) -> bool:
    """True if a film is written: from a .npz file, or from a creature if the format of the target is for films."""
    return file.suffix.lower() == ".npz" or (target.suffix.lower() in (*EXPORTERS, VIDEO) and is_creature(file))


def export_figure(file: Path, target: Path, options: ReadOptions, film_options: FilmOptions) -> list[str]:
    """Write a figure in its initial state in a format of films, with masses and joints if the format has them.

    Returns notes. Raises GambolError before any work.
    """
    given = film_options.given()
    check_exports([target], given, "OTHER")
    model = read_model(file, options)
    return [*model.notes, *_exported([model_film(model)], model, target, given)]


def convert_films(files: Sequence[Path], target: Path, options: FilmOptions, show: Callable[[str], None]) -> list[str]:
    """Write films in another format or as a video, and return notes. Raises GambolError before any work.

    files: files of films, or of creatures, which are simulated for the duration of their rollouts. show(text): called
    with the progress of a video.
    """
    given, video = options.given(), replace(options.video, path=target)
    if target.suffix.lower() == VIDEO:
        _check_video(video, target, given)
    else:
        options.check_no_video()
        check_exports([target], given, "FILE", len(files))
    films, notes, model = list[Film](), list[str](), None
    for file in files:
        film, model = _read(file)
        film, film_notes = _chosen(film, options)
        films.append(replace(film, name=file.stem) if len(files) > 1 else film)
        notes += [f"{file.name}: {note}" for note in film_notes] if len(files) > 1 else film_notes
    if target.suffix.lower() != VIDEO:
        return notes + _exported(films, model, target, given)
    for film in films:
        check_video(video, film.worlds)
    takes = [film.of_worlds([world]) for film in films for world in take_indices(video, film.worlds)]
    write_video_takes(takes, video, show)
    return notes


def _check_video(video: VideoRequest, target: Path, given: dict[str, Any]) -> None:
    """Raise GambolError if a video cannot be written, or if one of the given options is not for videos."""
    render_options(video).check_video()
    for name in given:
        raise GambolError(f"--{name.replace('_', '-')} is not for videos, which have --camera and --video-... options")
    check_target(target, "OTHER", VIDEO, "a video")
    require_render("a video")


def _exported(films: Sequence[Film], model: Model | None, target: Path, given: dict[str, Any]) -> list[str]:
    """Write films in a format of other programs, and return notes. model: for formats with masses and joints."""
    with_model = model is not None and "figure" in EXPORTERS[target.suffix.lower()].options
    return export_film(films, target, **given, **({"figure": model} if with_model else {}))


def _read(file: Path) -> tuple[Film, Model | None]:
    """Return a film, and the body of its creature if the file has it."""
    if file.suffix.lower() == ".npz":
        return Film.load(file), None
    creature = read_creature(file)
    return creature.film(), creature.model()


def _chosen(film: Film, options: FilmOptions) -> tuple[Film, list[str]]:
    """Return the requested world and stride of a film, and notes."""
    if options.world is not None:
        film = film.of_worlds([options.world])
    if not (options.cycle or options.in_place):
        return film, []
    cycle = walk_cycle(film, in_place=options.in_place)
    note = (
        f"the stride from {cycle.start:.4g} s, {cycle.period:.4g} s long; so that it loops, links were moved by at "
        f"most {cycle.gap:.2g} m and turned by {cycle.gap_angle:.2g} rad; it travels {cycle.travel[0]:.4g} m along "
        f"x and {cycle.travel[1]:.4g} m along y"
    )
    return cycle.film, [note]
