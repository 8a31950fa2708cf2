"""Materials of COLLADA files: the diffuse colour or texture of a surface, its opacity, and the light that it emits."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from gambol.errors import GambolError
from gambol.figure import Finish, Material, Texture
from gambol.figure.color import color_text
from gambol.formats.visuals.images import TextureFolder, with_transparency
from gambol.formats.xml_file import Element

SHADERS = ("phong", "lambert", "blinn", "constant")


def url_of(element: Element, key: str = "url") -> str:
    """Return the id that an element names."""
    return element.attributes.get(key, "").removeprefix("#")


@dataclass
class Effects:
    """The materials of a file. elements: elements by their ids; known: materials read so far, by id."""

    elements: Mapping[str, Element]
    textures: TextureFolder
    known: dict[str, Material] = field(default_factory=dict[str, Material])

    def bound(self, instance: Element) -> dict[str, Material]:
        """Return the materials of an instance of a geometry by the names that its surfaces use."""
        rows = [row for row in instance.walk() if row.tag == "instance_material"]
        return {row.attributes.get("symbol", ""): self._material(url_of(row, "target")) for row in rows}

    def _material(self, name: str) -> Material:
        if name not in self.known:
            material = self.elements.get(name)
            links = material.find_all("instance_effect") if material else []
            effect = self.elements.get(url_of(links[0])) if links else None
            self.known[name] = self.textures.default if effect is None else self._effect(effect)
        return self.known[name]

    def _effect(self, effect: Element) -> Material:
        shaders = [each for each in effect.walk() if each.tag in SHADERS]
        if not shaders:
            return Material()
        channels = {child.tag: child for child in shaders[0].children}
        texture = self._texture(effect, channels.get("diffuse"))
        transparent = channels.get("transparent")
        if texture is not None and not (transparent and transparent.find_all("texture")):
            texture = with_transparency(texture, "opaque")
        red, green, blue, _ = _numbers(channels.get("diffuse"), "color", (1.0, 1.0, 1.0, 1.0))
        try:
            color = None if texture or "diffuse" not in channels else color_text(red, green, blue)
        except GambolError:
            color = None
        emitted = _numbers(channels.get("emission"), "color", (0.0, 0.0, 0.0, 1.0))[:3]
        finish = Finish(emission=color_text(*emitted) if any(emitted) else None)
        return Material(color, _opacity(channels), texture, finish)

    def _texture(self, effect: Element, channel: Element | None) -> Texture | None:
        """Return the texture of a channel, by its sampler, its surface and its image; None without one."""
        rows = channel.find_all("texture") if channel else []
        if not rows:
            return None
        parameters = {e.attributes.get("sid", ""): e for e in effect.walk() if e.tag == "newparam"}
        name = rows[0].attributes.get("texture", "")
        for tag in ("source", "init_from"):  # of the sampler, then of the surface
            texts = [e.text.strip() for e in parameters[name].walk() if e.tag == tag] if name in parameters else []
            name = texts[0] if texts else name
        image = self.elements.get(name)
        files = [e.text.strip() for e in image.walk() if e.tag == "init_from"] if image else []
        return self.textures.texture(files[0] if files else name)


def _numbers(channel: Element | None, tag: str, default: tuple[float, ...]) -> tuple[float, ...]:
    """Return the numbers of a channel, between 0 and 1; default: result without such a value."""
    rows = channel.find_all(tag) if channel else []
    try:
        numbers = tuple(min(max(float(word), 0.0), 1.0) for word in rows[0].text.split())
    except (IndexError, ValueError):
        return default
    return (*numbers, *default[len(numbers) :])[: len(default)]


def _opacity(channels: Mapping[str, Element]) -> float:
    """Return the opacity of a material.

    Files in which everything is transparent use the opposite convention, so they are read as opaque.
    """
    if "transparent" not in channels and "transparency" not in channels:
        return 1.0
    transparent = channels.get("transparent")
    (transparency,) = _numbers(channels.get("transparency"), "float", (1.0,))
    red, green, blue, alpha = _numbers(transparent, "color", (1.0, 1.0, 1.0, 1.0))
    zero = transparent is not None and transparent.attributes.get("opaque") == "RGB_ZERO"
    return (1.0 - transparency * (red + green + blue) / 3.0 if zero else transparency * alpha) or 1.0
