"""The guideline of a scale, from Markdown to HTML that can do nothing."""

from __future__ import annotations

_TAGS = set(
    "a blockquote br code em h1 h2 h3 h4 h5 h6 hr li ol p pre s strong table tbody td th thead tr ul".split()  # noqa: SIM905
)


def guideline_html(markdown: str) -> str:
    """Headings, lists, tables, links; raw HTML in the Markdown is shown as it stands.

    >>> guideline_html("Take the *lower* grade. <script>alert(1)</script>")
    '<p>Take the <em>lower</em> grade. &lt;script&gt;alert(1)&lt;/script&gt;</p>\\n'
    >>> guideline_html("[see](javascript:alert(1)) [there](https://example.org)")
    '<p>[see](javascript:alert(1)) <a href="https://example.org" rel="noopener noreferrer">there</a></p>\\n'
    """
    import nh3
    from markdown_it import MarkdownIt

    html = MarkdownIt("commonmark", {"html": False}).enable("table").render(markdown)
    return nh3.clean(html, tags=_TAGS, attributes={"a": {"href"}}, url_schemes={"http", "https", "mailto"})
