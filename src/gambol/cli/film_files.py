"""The files that commands write of a film: film, measures, page, picture and video."""

import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from gambol.cli import report
from gambol.cli.targets import Targets
from gambol.cli.video import camera_of, write_video_of
from gambol.errors import GambolError
from gambol.export import check_target, export_film
from gambol.formats import Model
from gambol.world import Film, World


class ExportWarning(UserWarning):
    """A format cannot contain some part of a film."""


def write_files(
    film: Film,
    summary: dict[str, Any],
    targets: Targets,
    show_progress: Callable[[str], None],
    write_page: Callable[[Path], Any],
    model: Model | None = None,
) -> list[Path]:
    """Write the files of a film, the quickest first; return their paths.

    summary: content of the JSON file. targets: output paths. show_progress(text): called with the name of each file.
    write_page(path): writes the page. model: model of the figure, for formats that hold masses and joints. Warns of
    what the formats of exports leave out.
    """
    from gambol.view import RenderWarning, opengl, write_picture

    camera = camera_of(targets.video)
    picture = targets.file(".png")
    if "stepping" not in film.signals and not opengl.can_render():
        warnings.warn(f"{picture.name}: no OpenGL here, so there is no picture", RenderWarning, stacklevel=2)
        picture = None
    writers: list[tuple[Path | None, Callable[[Path], Any]]] = [
        (targets.file(".npz"), film.save),
        (targets.file(".json"), lambda path: report.write_summary(summary, path)),
        (targets.file(".html"), write_page),
        (picture, lambda path: write_picture(film, path, camera=camera)),
    ]
    paths: list[Path] = []
    for path, write in writers:
        if path is not None:
            show_progress(str(path))
            write(path)
            paths.append(path)
    paths += write_exports(film, targets.exports, show_progress, model) + write_plots(film, targets, show_progress)
    if targets.video.path is not None:  # the last, since it takes longest and may be interrupted
        paths.append(write_video_of(film, targets.video, show_progress))
    return paths


def model_of_world(world: World) -> Model:
    """Return the figure, springs and gravity of a world, for exports."""
    g = world.gravity
    return Model(world.figure, world.springs, gravity=g if isinstance(g, tuple) else (0.0, 0.0, -g))


def write_exports(
    film: Film, paths: Sequence[Path], show_progress: Callable[[str], None], model: Model | None = None
) -> list[Path]:
    """Write a film in formats of other programs, by the suffixes of paths; return the paths.

    Warns of parts of the film that the formats leave out. show_progress(text): called with the name of each file.
    model: model of the figure; formats that hold masses and joints write it. Uneven ground is written, too.
    """
    fits = model is not None and tuple(link.name for link in model.figure.links) == film.link_names
    for path in paths:
        show_progress(str(path))
        path.parent.mkdir(parents=True, exist_ok=True)
        chosen = {"figure": model if fits else None, "ground": film.ground.heights is not None or None}
        given = {name: value for name, value in chosen.items() if name in check_target(path).options}
        for note in export_film(film, path, **given):
            warnings.warn(f"{path.name}: {note}", ExportWarning, stacklevel=2)
    return list(paths)


def write_plots(film: Film, targets: Targets, show_progress: Callable[[str], None]) -> list[Path]:
    """Write the requested plots of signals; return their paths.

    Warns of names that the film lacks, and plots the others. show_progress(text): called with the name of each file.
    """
    from gambol.view.plot import write_plot
    from gambol.world.film.quantities import quantities_of

    names: list[str] = []
    for name in targets.plot or ():
        try:
            quantities_of(film, [name])
        except GambolError as error:
            warnings.warn(f"--plot: {error}", ExportWarning, stacklevel=2)
        else:
            names.append(name)
    if not names:
        return []
    for path in targets.plot_files:
        show_progress(str(path))
        path.parent.mkdir(parents=True, exist_ok=True)
        write_plot(film, path, names)
    return list(targets.plot_files)
