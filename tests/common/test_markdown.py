"""Markdown to safe HTML."""

import pytest

from common.web.markdown import render_markdown


class TestRenderMarkdown:
    def test_renders_headings_lists_and_tables(self) -> None:
        html = render_markdown("# A\n\n- b\n\n| c |\n|---|\n| d |")
        assert all(tag in html for tag in ("<h2>", "<li>", "<td>"))

    @pytest.mark.parametrize(
        "hostile",
        [
            "<script>alert(1)</script>",
            "[x](javascript:alert(1))",
            "![x](https://tracker.example/pixel.gif)",
            '<a href="x" onclick="alert(1)">x</a>',
            "<style>body{display:none}</style>",
            '<iframe src="https://example.org"></iframe>',
        ],
    )
    def test_lets_nothing_through_that_runs_or_loads(self, hostile: str) -> None:
        html = render_markdown(hostile)
        assert not any(
            live in html
            for live in ("<script", 'href="javascript', "<img", '<a href="x" on', "<style", "<iframe")
        )
