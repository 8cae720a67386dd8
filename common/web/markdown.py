"""Markdown to HTML that is safe to show."""

import nh3
from markdown_it import MarkdownIt

ALLOWED_TAGS = {
    *("h2", "h3", "h4", "p", "br", "hr", "blockquote", "pre", "code"),
    *("ul", "ol", "li", "strong", "em", "a"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
PARSER = MarkdownIt("commonmark", {"html": False}).enable("table")


def render_markdown(text: str) -> str:
    """Return HTML with text, lists, tables and links only: no images, scripts, styles or forms.

    Headings come out one level lower, since the page around them has its own first heading.
    """
    # Half a surrogate pair, from before requests were checked for it, cannot be sanitized.
    tokens = PARSER.parse(text.encode(errors="replace").decode())
    for token in tokens:
        if token.type.startswith("heading_"):
            token.tag = f"h{min(int(token.tag[1]) + 1, 4)}"
    return nh3.clean(
        PARSER.renderer.render(tokens, PARSER.options, {}),
        tags=ALLOWED_TAGS,
        attributes={"a": {"href"}},
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow",
    )
