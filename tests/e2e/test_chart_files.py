"""Charts saved for a paper, in a real browser under the product's security policy."""

import re
import struct
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import Product
from tests.e2e.pages import collect_complaints, open_context, sign_in

SVG = "{http://www.w3.org/2000/svg}"
PAGE = "/demo/leaderboard"
# The token's value in the light scheme; the browser of the test prefers dark.
LIGHT_INK = "#1b1d22"
DARK_INK = "#e9e9e6"


@pytest.fixture(scope="module")
def demo(product: Product) -> Product:
    """The demo study in the running installation."""
    product.manage("load_demo")
    return product


def save(page: Page, kind: str, folder: Path) -> Path:
    """Press the first chart's button, and return the file that comes, under the name that the page gives."""
    with page.expect_download() as waiting:
        page.get_by_role("button", name=re.compile(rf"^{kind}: Score of each system")).click()
    target = folder / waiting.value.suggested_filename
    waiting.value.save_as(target)
    return target


@pytest.mark.browser
class TestSavedCharts:
    def test_are_whole_files_for_white_paper(self, demo: Product, browser: Browser, tmp_path: Path) -> None:
        context = open_context(browser, url=demo.url, scheme="dark")
        page = context.new_page()
        complaints = collect_complaints(page)
        sign_in(page, username="lead", password="assay-demo")
        page.goto(PAGE)
        expect(page.locator("figure svg").first).to_be_visible()
        drawing, image = save(page, "SVG", tmp_path), save(page, "PNG", tmp_path)
        assert complaints() == []
        context.close()

        assert drawing.name == "demo-score-of-each-system-percent.svg"
        text = drawing.read_text(encoding="utf-8")
        root = ElementTree.fromstring(text)
        assert not re.search(r"var\(|currentColor|color-mix|style=|href|url\((?!#)", text)
        assert re.findall(r"https?://[^\"]+", text) == ["http://www.w3.org/2000/svg"]
        assert root.attrib["font-family"].startswith("Helvetica")
        fills = {element.attrib["fill"] for element in root.iter() if "fill" in element.attrib}
        assert LIGHT_INK in fills
        assert DARK_INK not in fills
        words = [element.text for element in root.iter(f"{SVG}text")]
        assert words[0] == "Score of each system (percent)"
        assert "questions" in " ".join(word or "" for word in words[1:3])
        assert len(list(root.iter(f"{SVG}circle"))) > 2
        assert "Exact match" in text

        assert image.name == "demo-score-of-each-system-percent.png"
        content = image.read_bytes()
        assert content.startswith(b"\x89PNG\r\n")
        width, height = struct.unpack(">II", content[16:24])
        assert (width, height) == (
            3 * round(float(root.attrib["width"])),
            3 * round(float(root.attrib["height"])),
        )
        assert len(content) > 20_000
