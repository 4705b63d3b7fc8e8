"""The whole story, as people live it: from the first start to a run that is scored by what was judged.

`CRANFIELD_PICTURES=1` leaves a picture of every step in build/pictures, and writes those of docs/judging/managing.md anew.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import run_cranfield
from tests.web.browser.conftest import PHONE, Visitors
from tests.web.browser.pages import heading, sent, type_keys
from tests.web.browser.soups import GUIDELINE
from tests.web.browser.story import AVERAGE_PRECISION, DECISIONS, GRADES, PEOPLE, fleiss_kappa, key_of, make_workspace
from tests.web.browser.test_pictures import FOLDER
from tests.web.installation import Installation, serving

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
PASSWORD = "soup of the day, twice"
SHOWN = ("new-project", "invitation")
"""Pictures that are on a page of the documentation."""


@contextmanager
def visiting(browser: Any, address: str, *expected: str) -> Iterator[Visitors]:
    """Browsers of people whose pages may complain of what is expected, and of nothing else."""
    visitors = Visitors(browser, address, expected=[*expected])
    yield visitors
    visitors.close()


def picture(page: Any, name: str, whole: bool = True) -> None:
    """One step of the story; and nothing hangs out of the screen."""
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"], name
    if os.environ.get("CRANFIELD_PICTURES") == "1":
        folder = FOLDER if name in SHOWN else ROOT / "build" / "pictures"
        folder.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=folder / f"{name}.png", caret="hide", full_page=whole)


def come_in(page: Any, link: str, name: str) -> None:
    """Make an account by an invitation."""
    page.goto(link)
    page.get_by_label("Name:").fill(name)
    page.get_by_label("Password:").fill(PASSWORD)
    page.get_by_label("Password confirmation:").fill(PASSWORD)
    picture(page, f"join-{name}")
    page.get_by_role("button", name="Make this account").press("Enter")
    page.get_by_role("link", name=name).wait_for()


def make_project(page: Any) -> None:
    page.get_by_role("link", name="New project").click()
    page.get_by_label("Name:", exact=True).fill("Soups")
    page.get_by_label("Description:").fill("Which notes of a cook answer a question?")
    assert page.get_by_label("Pool on the server").input_value() == "pool.tsv", "the only one of the workspace"
    page.get_by_label("How many assessors judge a document").fill("3")
    page.get_by_label("Guideline:").fill(GUIDELINE)
    page.locator(".preview strong", has_text="by itself").wait_for()
    page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    picture(page, "new-project", whole=False)
    page.get_by_role("button", name="Make the project").click()
    page.get_by_text("12 to judge: 6 new documents, 2 new topics").wait_for()


def make_link(page: Any, group: str) -> str:
    page.get_by_label("Group:").fill(group)
    page.get_by_role("button", name="Make a link").click()
    link: str = page.get_by_label("Link").input_value()
    page.get_by_label("Link").evaluate("(one) => (one.value = 'https://judging.example.org/join/...')")
    picture(page, "invitation")
    return link


def judge(page: Any, person: str, most: int) -> None:
    """So many documents, each by the one key of its grade."""
    for _ in range(most):
        title = heading(page)
        type_keys(page, key_of(page.locator("#topic-title").inner_text(), title, person))


def begin(page: Any) -> None:
    """From the first page to the first document."""
    page.get_by_role("link", name="Judge", exact=True).press("Enter")
    page.locator("#documents .document").first.wait_for()
    page.wait_for_load_state("networkidle")


def three_judge(pages: dict[str, Any], manager: Any) -> None:
    """One at a desk, one on a narrow screen who takes an answer back, one who is offline for a while."""
    ann, ben, cleo = (pages[name] for name in PEOPLE)
    for page in pages.values():
        begin(page)
    judge(cleo, "cleo", 3)
    sent(cleo)
    cleo.wait_for_load_state("networkidle")
    cleo.context.set_offline(True)
    judge(cleo, "cleo", 4)
    cleo.locator("#connection", has_text="Offline, 4 answers wait.").wait_for()
    picture(cleo, "offline-cleo")

    picture(ann, "desk-ann")
    judge(ann, "ann", 12)
    ann.get_by_role("heading", name="Nothing is left for you.").wait_for()
    picture(ann, "nothing-left-ann")
    picture(ben, "phone-ben")
    wrong = "3" if key_of(ben.locator("#topic-title").inner_text(), heading(ben), "ben") != "3" else "0"
    type_keys(ben, wrong, "z")
    judge(ben, "ben", 12)
    ben.get_by_role("heading", name="Nothing is left for you.").wait_for()
    picture(ben, "nothing-left-ben")
    for page in (ann, ben):
        sent(page)

    manager.get_by_role("link", name="Overview").click()
    manager.get_by_text("27 of 36 judgments are there").wait_for()
    picture(manager, "progress")
    cleo.context.set_offline(False)
    sent(cleo)
    cleo.locator("#connection").wait_for(state="hidden")
    judge(cleo, "cleo", 5)
    cleo.get_by_role("heading", name="Nothing is left for you.").wait_for()
    sent(cleo)
    manager.get_by_text("36 of 36 judgments are there").wait_for()


def download(page: Any, title: str, folder: Path) -> Path:
    page.get_by_role("link", name="In and out").click()
    with page.expect_download() as expected:
        page.get_by_role("button", name=title, exact=True).click()
    path = folder / str(expected.value.suggested_filename)
    expected.value.save_as(path)
    return path


def on_screen(page: Any, coefficient: str) -> tuple[float, str]:
    """The value of a coefficient to the last digit, and as it is read."""
    cell = page.get_by_role("row", name=re.compile(f"^{coefficient}")).first.locator("td").first
    return float(cell.get_attribute("title")), cell.inner_text()


def check_agreement(page: Any, raw: Path) -> None:
    """What is on the screen is what the command says of the file, and what arithmetic says of the grades."""
    page.get_by_role("link", name="Agreement").click()
    done = run_cranfield("agreement", raw, "--format", "json")
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.text)["coefficients"]
    for name, coefficient in (("Fleiss' kappa", "fleiss_kappa"), ("Krippendorff's alpha", "krippendorff_alpha")):
        value = found[coefficient]["value"]
        assert on_screen(page, name) == (value, f"{value:.4f}")
    assert found["fleiss_kappa"]["value"] == pytest.approx(fleiss_kappa(GRADES), abs=1e-12)
    picture(page, "agreement-of-three")


def decide(page: Any) -> None:
    """All differences, with the keyboard alone."""
    page.get_by_role("link", name="Adjudication").click()
    picture(page, "queue")
    page.get_by_role("link", name="Decide the first").press("Enter")
    for count in range(len(DECISIONS)):
        page.locator(".steps", has_text=f"{len(DECISIONS) - 1 - count} other").wait_for()
        topic = re.findall(r"Topic (\d)", page.locator(".matter h2").inner_text())[0]
        grade, reason = DECISIONS[topic, page.locator(".document .dim").inner_text().split()[0]]
        assert not {*PEOPLE} & {*re.findall(r"\w+", page.locator("main").inner_text())}, "names are not shown"
        page.keyboard.press(str(grade))
        page.keyboard.type(reason)
        picture(page, f"decision-{count + 1}")
        page.keyboard.press("Control+Enter")
    page.get_by_text("There is no such document").wait_for()


def check_events(file: Path) -> None:
    """Nothing is lost, and nothing is there twice."""
    events = [json.loads(line) for line in file.read_text().splitlines()]
    assert len({event["event"] for event in events}) == len(events)
    assert Counter(event["action"] for event in events) == {"grade": 37, "withdraw": 1}
    taken_back = {event["supersedes"] for event in events if event["action"] == "withdraw"}
    standing = [event for event in events if event["action"] == "grade" and event["event"] not in taken_back]
    grades: dict[tuple[str, str], list[int]] = {}
    for event in sorted(standing, key=lambda one: str(one["assessor"])):
        grades.setdefault((event["topic"], event["document"]), []).append(event["grade"])
        assert event["assignment"].startswith("pool "), "each was answered while it was the assessor's"
    assert {place: sorted(said) for place, said in grades.items()} == {p: sorted(said) for p, said in GRADES.items()}
    assert {*Counter(event["assessor"] for event in standing).values()} == {12}


def check_qrels(file: Path, workspace: Path) -> None:
    """What was decided, or else what all said; and a run is scored by it."""
    rows = [line.split() for line in file.read_text().splitlines()]
    expected = {place: DECISIONS[place][0] if place in DECISIONS else said[0] for place, said in GRADES.items()}
    assert {(topic, document): int(grade) for topic, _, document, grade in rows} == expected
    assert len(rows) == len(expected)
    done = run_cranfield("evaluate", file, workspace / "kettle.run", "-m", "AP", "--format", "json")
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.text)["runs"][0]["mean"]["AP"] == pytest.approx(float(AVERAGE_PRECISION), abs=1e-12)


def test_the_whole_story(browser: Any, tmp_path: Path) -> None:
    workspace = make_workspace(tmp_path / "soups")
    files = tmp_path / "downloads"
    files.mkdir()
    with serving(Installation(tmp_path / "judging"), str(workspace)) as server:
        link = server.until(r"This link makes one, once, within a day:\s+(http://\S+/join/\S+/)")[1]
        address = server.until(r"The judging application is at (http://127\.0\.0\.1:\d+)/")[1]
        with visiting(browser, address) as steady, visiting(browser, address, r"net::ERR_INTERNET") as unsteady:
            manager = steady.context().new_page()
            come_in(manager, link, "maria")
            make_project(manager)
            links = {name: make_link(manager, "expert" if name == "ann" else "user") for name in PEOPLE}
            pages = {
                "ann": steady.context().new_page(),
                "ben": steady.context(viewport=PHONE, has_touch=True, color_scheme="dark").new_page(),
                "cleo": unsteady.context().new_page(),
            }
            for name, page in pages.items():
                come_in(page, links[name], name)
            three_judge(pages, manager)
            check_agreement(manager, download(manager, "Of each assessor", files))
            decide(manager)
            check_qrels(download(manager, "Judgments", files), workspace)
            picture(manager, "in-and-out")
            check_events(download(manager, "Every event", files))
        assert server.stop() == 0
    assert all((FOLDER / f"{name}.png").is_file() for name in SHOWN), "the page shows them"
