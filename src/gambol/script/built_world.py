"""The world of a script: its corpora, joined to one figure, with ground, springs, gaits and attachments.

Several corpora become a forest. The ground's forces are per kilogram of the corpus that it touches.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from gambol.collide.broad import Pair
from gambol.contact import ContactMethod, SurfaceProperties
from gambol.figure import Figure, JointSpring, forest_names, make_forest
from gambol.gait import GaitController, GaitGroup, Steering, renamed_gait
from gambol.script.corpus import Corpus
from gambol.script.gait_spec import GaitSpec, build_controller
from gambol.script.script_attachment import ScriptAttachment
from gambol.script.segments import Rows
from gambol.script.world_spec import WorldSpec
from gambol.world import External, State, World


@dataclass(frozen=True)
class BuiltWorld:
    """A world, and the corpora of a script in it.

    links: names of links by corpus and body. driven: names of the corpora with joints that the controller moves.
    attachments: attachments in the order of the world. figures: figure of each corpus alone. cut: names of links that
    are cut off, with all that hangs on them.
    """

    world: World
    links: Mapping[str, Mapping[str, str]]
    driven: tuple[str, ...]
    attachments: tuple[ScriptAttachment, ...]
    figures: Mapping[str, Figure]
    cut: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class SavedState:
    """The last state of a world that contains a corpus.

    built: the world. origin: for each row of the state the row of the last simulated state from which it was copied, or
    CHANGED, see segments.py.
    """

    built: BuiltWorld
    state: State
    origin: Rows


def build_world(
    spec: WorldSpec, gaits: Mapping[str, GaitSpec], motor_bodies: Iterable[str], cut_bodies: Iterable[str] = ()
) -> BuiltWorld:
    """Return the world of a description. Raises GambolError for an invalid one.

    gaits: gaits by corpus. motor_bodies: names of bodies that motor commands move outside of gaits. cut_bodies: names
    of bodies that cut commands cut off at some time.
    """
    corpora = spec.active_corpora()
    figures = {corpus.name: corpus.figure() for corpus in corpora}
    links = _link_names(figures)
    springs = {corpus.name: corpus.springs() for corpus in corpora}
    controllers = {corpus.name: _controller(corpus, gaits, springs[corpus.name], motor_bodies) for corpus in corpora}
    driven = {name: controller for name, controller in controllers.items() if controller is not None}
    cuts = tuple(links[c.name][name] for c in corpora for name in cut_bodies if name in c.bodies and name != c.root)
    cut = tuple(links[c.name][name] for c in corpora for name in sorted(c.cut))
    attachments = tuple(a for a in spec.attachments if all(name in figures for name in a.corpora))
    figure, surface = _joined_figure(figures), _surface(spec, figures, controllers, links)
    pairs = spec.collisions.pairs(figure, links)
    roots = {name: figure.link(links[name][figures[name].root.name]).q.start for name in driven}
    world = World(
        figure,
        {links[name][body]: spring for name, body_springs in springs.items() for body, spring in body_springs.items()},
        ground=spec.build_ground(),
        surface=surface,
        contact=_contact(spec, figures, links, pairs),
        pairs=pairs,
        external=External(attachments=tuple(a.in_world(links) for a in attachments), cuts=cuts),
        controller=_joined_controller(driven, links, roots),
        gravity=spec.gravity if spec.gravity_on else 0.0,
        timing=spec.timing(),
    )
    return BuiltWorld(world, links, tuple(driven), attachments, figures, cut)


def _link_names(figures: Mapping[str, Figure]) -> dict[str, dict[str, str]]:
    """Return the names of links in the world, by corpus and body.

    For a single corpus, names of links are names of bodies.
    """
    if len(figures) > 1:
        return forest_names(figures)
    return {name: {link.name: link.name for link in figure.links} for name, figure in figures.items()}


def _joined_figure(figures: Mapping[str, Figure]) -> Figure:
    """Return the figure of a single corpus, or the forest of several."""
    if len(figures) > 1:
        return make_forest(" and ".join(figures), figures)
    (figure,) = figures.values()
    return figure


def _controller(
    corpus: Corpus, gaits: Mapping[str, GaitSpec], springs: dict[str, JointSpring], motor_bodies: Iterable[str]
) -> GaitController | None:
    """Return the controller of a corpus, with the names of its bodies; None if no motor moves it."""
    gait, others = gaits.get(corpus.name), tuple(name for name in motor_bodies if name in springs)
    if gait is not None and gait.has_programs:
        return gait.controller(springs, others)
    return build_controller((), springs, others) if others else None


def _joined_controller(
    controllers: Mapping[str, GaitController], links: Mapping[str, Mapping[str, str]], roots: Mapping[str, int]
) -> GaitController | GaitGroup | None:
    """Return the controller of all corpora, with the names of links; roots: index of each root's first coordinate."""
    if len(links) == 1 or not controllers:
        return next(iter(controllers.values()), None)
    several = len(controllers) > 1
    renamed = {
        name: renamed_gait(_rooted(controller, roots[name]), links[name], f"{name}/" if several else "")
        for name, controller in controllers.items()
    }
    return GaitGroup(renamed) if several else next(iter(renamed.values()))


def _rooted(controller: GaitController, root: int) -> GaitController:
    """Return a controller whose steering reads the root at this index of the world's coordinates."""
    modifiers = (one.with_root(root) if isinstance(one, Steering) else one for one in controller.modifiers)
    return replace(controller, modifiers=tuple(modifiers))


def _surface(
    spec: WorldSpec,
    figures: Mapping[str, Figure],
    controllers: Mapping[str, GaitController | None],
    links: Mapping[str, Mapping[str, str]],
) -> SurfaceProperties:
    """Return the surface of the ground, with the feet of all corpora, or only the sticky ones if there are any."""
    mass = _reference_mass(figures)
    sticky = tuple(
        links[name][body.name] for name in figures for body in spec.corpora[name].bodies.values() if body.sticks
    )
    feet = tuple(links[name][foot] for name, figure in figures.items() for foot in find_feet(figure, controllers[name]))
    return SurfaceProperties(
        spec.ground.contact_parameters(mass),
        feet=sticky or feet,
        sticky=spec.ground.sticky_foot(mass) if sticky else None,
        grip=spec.ground.grip,
    )


def _reference_mass(figures: Mapping[str, Figure]) -> float:
    """Return the mass for which the ground's parameters are computed [kg]: the mass of the single or first corpus."""
    return next(iter(figures.values())).mass


def _contact(
    spec: WorldSpec, figures: Mapping[str, Figure], links: Mapping[str, Mapping[str, str]], pairs: tuple[Pair, ...]
) -> ContactMethod:
    """Return the contact method; for several corpora it has factors that depend on their masses."""
    mass, per_mass, factors = _reference_mass(figures), spec.ground.scale == "mass", dict[str, float]()
    if len(figures) > 1 and per_mass:
        factors = {links[name][body]: figures[name].mass / mass for name in figures for body in links[name]}
    return spec.collisions.contact(mass if per_mass else 1.0, spec.ground.contact_parameters(mass), factors, pairs)


def find_feet(figure: Figure, controller: GaitController | None) -> tuple[str, ...]:
    """Return the names of the links with corners that grip the ground.

    These are the feet of the controller's legs or, without legs, the last links of all limbs, if they have corners.
    """
    if controller is not None and controller.legs:
        return tuple(leg.foot for leg in controller.legs)
    parents = {link.parent_index for link in figure.links}
    limb_ends = [link for link in figure.links if link.index not in parents and figure.can_move(link.index)]
    return tuple(link.name for link in limb_ends if any(point.radius == 0.0 for point in link.contact_points()))
