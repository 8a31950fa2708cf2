"""Choice servers: access, valid choices, and the page for choosing in a browser."""

import http.client
import json
import socket
import struct
import threading
import time
from contextlib import contextmanager

import pytest
from films import hexapod_film
from playwright.sync_api import expect, sync_playwright
from quadrupeds import quadruped

from gambol import Engine, NoGround, World, run, start
from gambol.errors import GambolError
from gambol.view.choice import Candidate, ChoiceServer
from gambol.view.live.encoded import SharedPrograms
from gambol.view.page import encode_film

FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
         "--disable-background-networking", "--no-first-run", "--disable-component-update"]  # fmt: skip


@pytest.fixture(scope="module")
def film():
    return encode_film(hexapod_film(seconds=0.5), rate=60.0)


def candidates(film, first=0):
    return [
        Candidate(first, "slow", film),
        Candidate(first + 1, "fast <b>", film),
        Candidate(first + 2, "odd", film, marked="froze"),
    ]


class Person:
    """Sends requests to a choice server without a browser."""

    def __init__(self, server):
        self.address = server.address.removeprefix("http://")
        self.host, _, self.word = self.address.rstrip("/").partition("/")

    def ask(self, method, place, body=None, **headers):
        connection = http.client.HTTPConnection(self.host, timeout=10)
        message = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, place, body, message)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer, text

    def choose(self, message, **headers):
        body = message if isinstance(message, (bytes, str)) else json.dumps(message)
        answer, _ = self.ask("POST", f"/{self.word}/choose", body, **{"Content_Type": "application/json"} | headers)
        return answer.status


@contextmanager
def shown(server, film, generation=0):
    """Return the choice server showing a generation, and the list that will contain the choice."""
    choice = []
    waiting = threading.Thread(target=lambda: choice.append(server.chosen(generation, candidates(film))), daemon=True)
    waiting.start()
    while b"fast" not in server.candidates_json():
        pass
    yield Person(server), choice, waiting


@pytest.fixture
def visited(film):
    with ChoiceServer("Who?") as server, shown(server, film) as (person, choice, waiting):
        yield person, choice, waiting


def test_a_choice_is_taken_once_and_ends_the_waiting(visited):
    person, choice, waiting = visited
    assert person.choose({"generation": 0, "picks": [1]}) == 200
    waiting.join(5.0)
    assert choice == [[1]]
    assert person.choose({"generation": 0, "picks": [0]}) == 409
    _, candidates_json = person.ask("GET", f"/{person.word}/generation")
    assert json.loads(candidates_json) == {"generation": 0, "creatures": []}


def test_an_empty_choice_is_allowed(visited):
    person, choice, waiting = visited
    assert person.choose({"generation": 0, "picks": []}) == 200
    waiting.join(5.0)
    assert choice == [[]]


@pytest.mark.parametrize(
    "message",
    [
        {"generation": 1, "picks": [0]},
        {"generation": 0, "picks": [3]},
        {"generation": 0, "picks": [-1]},
        {"generation": 0, "picks": [2]},  # it froze
        {"generation": 0, "picks": [0, 0]},
        {"generation": 0, "picks": [True]},
        {"generation": 0, "picks": [0.0]},
        {"generation": 0, "picks": ["0"]},
        {"generation": 0, "picks": {"0": 1}},
        {"generation": 0},
        {},
    ],
)
def test_anything_but_a_choice_changes_nothing(visited, message):
    person, choice, _ = visited
    assert person.choose(message) == 409
    assert not choice
    assert json.loads(person.ask("GET", f"/{person.word}/generation")[1])["generation"] == 0


@pytest.mark.parametrize(
    ("message", "status"), [("[1]", 400), ("{", 400), (b"\xff", 400), ("[" * 4000, 400), ("x" * 5000, 413), ("1", 400)]
)
def test_what_cannot_be_read_is_refused(visited, message, status):
    assert visited[0].choose(message) == status


def test_forms_of_other_pages_are_refused(visited):
    person, choice, _ = visited
    message = {"generation": 0, "picks": [0]}
    assert person.choose(message, Content_Type="text/plain") == 415
    assert person.choose(message, Origin="http://evil.example") == 404
    assert person.choose(message, Origin="null") == 404
    assert person.choose(message, Host="evil.example") == 404  # a host name that was made to resolve to this machine
    assert not choice
    assert person.choose(message, Origin=f"http://{person.host}") == 200


def test_requests_without_the_token_find_nothing(visited):
    person, _, _ = visited
    for place in ("/", "/generation", "/x/", f"/{person.word}", f"/{person.word}/../x", f"/{person.word[:-1]}/"):
        answer, text = person.ask("GET", place)
        assert answer.status == 404
        assert b"fast" not in text
    assert person.ask("GET", f"/{person.word}/choose")[0].status == 404
    assert person.ask("POST", f"/{person.word}/generation", "{}")[0].status == 404
    assert person.ask("PUT", f"/{person.word}/choose", "{}")[0].status == 501


def test_every_booth_has_a_word_of_its_own_on_this_machine_alone():
    with ChoiceServer("one") as one, ChoiceServer("other") as other:
        assert Person(one).word != Person(other).word
        assert len(Person(one).word) >= 32
        assert one.address.startswith("http://127.0.0.1:")
        port = int(Person(one).host.partition(":")[2])
        with pytest.raises(OSError, match="refused"):
            socket.create_connection(("127.0.0.2", port), 1.0)


def test_the_page_may_load_nothing_from_elsewhere(visited):
    person, _, _ = visited
    answer, _ = person.ask("GET", f"/{person.word}/")
    policy = answer.getheader("Content-Security-Policy")
    assert "default-src 'none'" in policy
    assert "http" not in policy
    assert answer.getheader("Cache-Control") == "no-store"
    assert answer.getheader("X-Content-Type-Options") == "nosniff"


def test_closed_connections_are_no_errors(visited, capfd):
    person, _, _ = visited
    host, _, port = person.host.partition(":")
    for _ in range(5):
        with socket.create_connection((host, int(port)), 5.0) as visitor:
            visitor.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # resets the connection
            visitor.sendall(f"GET /{person.word}/ HTTP/1.1\r\nHost: {person.host}\r\n\r\n".encode())
    assert person.ask("GET", f"/{person.word}/")[0].status == 200
    assert capfd.readouterr() == ("", "")


def test_unavailable_ports_are_errors():
    with pytest.raises(GambolError, match="--port: there is no port 70000"):
        ChoiceServer("x", 70000)
    with ChoiceServer("one") as one:
        port = int(Person(one).host.partition(":")[2])
        with pytest.raises(GambolError, match=f"--port: {port} is not available"):
            ChoiceServer("two", port)


def test_a_person_clicks_creatures_and_sees_their_children(browser_path, film):
    choice = []

    def breed(server):
        choice.append(server.chosen(0, candidates(film)))
        choice.append(server.chosen(1, [*candidates(film, first=3), Candidate(6, "in a second row", film)]))

    with ChoiceServer("Who shall have children?") as server, sync_playwright() as play:
        breeding = threading.Thread(target=breed, args=(server,), daemon=True)
        breeding.start()
        browser = play.chromium.launch(executable_path=browser_path, args=FLAGS)
        page = browser.new_page(viewport={"width": 560, "height": 300})
        requested, complaints = [], []
        page.on("request", lambda request: requested.append(request.url))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.goto(server.address)
        tiles = page.locator(".creature")
        expect(page.locator("#status")).to_contain_text("Generation 0", timeout=60_000)
        expect(tiles.nth(1)).to_contain_text("fast <b>")
        first = tiles.nth(0).screenshot()
        end = time.monotonic() + 60.0
        while tiles.nth(0).screenshot() == first:  # until it moves
            assert time.monotonic() < end

        tiles.nth(2).click()  # it froze, and cannot be chosen
        tiles.nth(0).click()
        tiles.nth(1).click()
        tiles.nth(0).click()
        expect(page.locator(".creature.chosen")).to_have_count(1)
        expect(page.locator("#status")).to_contain_text("1 chosen")
        page.set_viewport_size({"width": 900, "height": 900})
        page.click("#next")
        expect(page.locator("#status")).to_contain_text("Generation 1", timeout=60_000)
        expect(page.locator(".creature.chosen")).to_have_count(0)
        expect(page.get_by_label("creature 4")).to_be_visible()
        distances = page.evaluate(
            "state.moving.map(({ player: { camera, controls } }) => camera.position.distanceTo(controls.target))"
        )
        assert distances == pytest.approx([distances[-1]] * 4)  # the first tile was alone for a while
        page.get_by_label("creature 3").press("Enter")
        page.click("#next")
        breeding.join(10.0)
        browser.close()
    assert choice == [[1], [0]]
    assert not complaints
    assert all(url.startswith((server.address, "data:", "blob:")) or url.endswith("favicon.ico") for url in requested)


def test_creatures_live_and_are_chosen_while_they_move(browser_path):
    """Two of one program that fall from other heights, with one time, back to which the visitor goes."""
    world = World(quadruped(), ground=NoGround())
    programs, people = SharedPrograms(), []
    for number, height in enumerate((0.3, 0.25)):
        state = start(world, position=(0.0, 0.0, height))
        film = run(world, state.copied(), 0.4, rate=60.0)
        text = programs.encoded_world(state, Engine(world).numbers(), film, 1.0)
        people.append(Candidate(number, "falls", encode_film(film, speed=1.0), world=text))
    people.append(Candidate(2, "slow", people[0].film, motion_note="plays a film: it is too large"))
    chosen = []
    with ChoiceServer("Who falls?") as server, sync_playwright() as play:
        wait = threading.Thread(target=lambda: chosen.append(server.chosen(0, people, programs.text())), daemon=True)
        wait.start()
        browser = play.chromium.launch(executable_path=browser_path, args=FLAGS)
        page = browser.new_page(viewport={"width": 900, "height": 700})
        errors = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(server.address)
        until(page, "!!window.state && state.moving.length === 3 && state.moving.every((each) => each.time > 0)")
        assert page.evaluate("state.moving.map((each) => !!each.live)") == [True, True, False]
        assert "plays a film: it is too large" in page.locator(".creature p").nth(2).inner_text()
        page.click("#play")
        until(page, "state.moving.every((each) => !each.playing)")
        calls = "await live.reset(); await live.step(50); return [...live.state()];"
        bits = f"(async () => {{ const {{ live }} = state.moving[1]; {calls} }})()"
        state = start(world, position=(0.0, 0.0, 0.25))
        Engine(world, lanes=1).advance(state, 50)
        assert page.evaluate(bits) == state.rows[:, 0].tolist()
        page.locator("#scrub").evaluate("(scrub) => { scrub.value = 0; scrub.dispatchEvent(new Event('input')); }")
        until(page, "state.moving.every((each) => each.time === 0)")
        page.check("#filmed")
        until(page, "state.moving[0].recorded.figures.group.visible")
        pull_and_set(page)
        page.locator(".creature").nth(1).click(position={"x": 10, "y": 10})
        page.click("#next")
        wait.join(30.0)
        browser.close()
    assert chosen == [[1]]
    assert not errors


def pull_and_set(page):
    """A drag of a body pulls it, and chooses nothing; a slider changes all creatures."""
    at = """(() => { const { player } = state.moving[0], box = player.canvas.getBoundingClientRect();
        player.draw(0); player.camera.updateMatrixWorld();
        const p = player.bodies[0][0].position.clone().project(player.camera);
        return [box.left + (box.width * (p.x + 1)) / 2, box.top + (box.height * (1 - p.y)) / 2]; })()"""
    x, y = page.evaluate(at)
    page.mouse.move(x, y)
    page.mouse.down()
    until(page, "state.moving[0].live.hand !== null")
    page.mouse.move(x, y - 40.0)
    page.mouse.up()
    until(page, "state.moving[0].live.hand === null")
    assert page.evaluate("state.chosen.size") == 0
    page.click("#settings-panel summary")
    page.evaluate("""const gravity = document.getElementById('number gravity');
        gravity.value = 1.5; gravity.dispatchEvent(new Event('input'))""")
    number = "state.moving.slice(0, 2).every(({ live }) => live.numbers[live.about.numbers.gravity] === 1.5)"
    until(page, number)


def until(page, condition):
    end = time.monotonic() + 60.0
    while not page.evaluate(condition):
        assert time.monotonic() < end, (condition, page.inner_text("#error"))
        time.sleep(0.05)
