"""Markdown to HTML that is safe to show."""

import nh3
from markdown_it import MarkdownIt

ALLOWED_TAGS = {
    *("h1", "h2", "h3", "h4", "p", "br", "hr", "blockquote", "pre", "code"),
    *("ul", "ol", "li", "strong", "em", "a"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
PARSER = MarkdownIt("commonmark", {"html": False}).enable("table")


def render_markdown(text: str) -> str:
    """Return HTML with text, lists, tables and links only: no images, scripts, styles or forms."""
    return nh3.clean(
        PARSER.render(text),
        tags=ALLOWED_TAGS,
        attributes={"a": {"href"}},
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow",
    )
