"""Documents with scripts, handlers, pictures and styles do nothing."""

from __future__ import annotations

import pytest

from cranfield.web.projects.models import ScaleVersion
from tests.web.browser.conftest import Visitors
from tests.web.browser.pages import type_keys
from tests.web.judging.making import make_assessor, make_project

pytestmark = pytest.mark.slow

BAD = """<h1 onclick="window.bad=1" style="position:fixed;inset:0">Soup</h1><b>boiled</b>
<script>window.bad=1</script><img src=x onerror="window.bad=1"><svg onload="window.bad=1"><animate onbegin="window.bad=1"/>
<script>window.bad=1</script></svg><style>body{display:none}</style><iframe srcdoc="<script>parent.bad=1</script>"></iframe>
<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.bad=1&gt;">
<a href="javascript:window.bad=1">here</a><form action="https://evil.example"><button>Log in</button></form>
<link rel=stylesheet href=https://evil.example/x.css><base href=https://evil.example/><meta http-equiv=refresh content=0>
<details open ontoggle="window.bad=1">x</details><input autofocus onfocus="window.bad=1">"""


def test_they_are_text_and_nothing_else(visitors: Visitors) -> None:
    project = make_project(topics=1, documents=2)
    project.documents.update(title=BAD, text=BAD, fields={BAD: BAD}, image="https://127.0.0.1:1/'onerror='window.bad=1")
    project.topics.update(title=BAD, description=BAD, narrative=BAD)
    grades = [{"value": value, "name": BAD, "definition": BAD, "key": str(value)} for value in (1, 0)]
    ScaleVersion.objects.create(project=project, number=2, version="2", content=grades, guideline=BAD)
    visitors.expect("127.0.0.1:1|net::ERR_CONNECTION_REFUSED|ERR_UNSAFE_PORT")
    ann = make_assessor(project, "ann")
    context = visitors.context(ann)
    elsewhere: list[str] = []
    context.on("request", lambda request: elsewhere.append(request.url))
    page = context.new_page()
    page.goto(f"/projects/{project.pk}/judge/")
    page.locator("#documents .document").wait_for()
    page.locator("#documents b", has_text="boiled").wait_for()
    page.locator("#documents h3", has_text="Soup").click()
    type_keys(page, "g")
    page.keyboard.press("Escape")
    type_keys(page, "1", "b")
    page.wait_for_timeout(200)
    assert page.evaluate("() => window.bad") is None
    forbidden = "script, style, iframe, svg, math, a, form, input, link, base, meta, details, img:not([alt])"
    assert page.locator("#documents").locator(forbidden).count() == 0
    assert (
        page.evaluate("""() => [...document.querySelectorAll("#documents .text *, #documents dl *, #topic details *")]
        .flatMap(one => one.getAttributeNames()).filter(name => !["id", "class", "hidden", "dir"].includes(name))""")
        == []
    )
    allowed = (visitors.address, "https://127.0.0.1:1/")
    assert [url for url in elsewhere if not url.startswith(allowed)] == []


def test_the_browser_cleans_once_more(visitors: Visitors) -> None:
    """Should the server ever let something through, the page builds the text anew of what it knows."""
    visitors.expect("Content Security Policy")  # where the browser says that it would not have run anything either
    project = make_project(topics=1, documents=1)
    page = visitors.judge(make_assessor(project, "ann"), project)
    built = page.evaluate(
        """async (html) => {
            const { textOf } = await import("/static/cranfield/judge/marking.js");
            const here = document.createElement("div");
            document.body.append(here);
            here.append(textOf(html, ["soups"]));
            return here.innerHTML;
        }""",
        BAD,
    )
    page.wait_for_timeout(100)
    assert page.evaluate("() => window.bad") is None
    assert built.startswith("<h3><mark>Soup</mark></h3>")
    assert "<b>boiled</b>" in built
    assert not [one for one in ("<script", "<img", "<svg", "style", "href", "onclick", "<form") if one in built]
