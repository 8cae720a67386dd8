"""The documentation as the product serves it, and the glossary that pages share with it."""

import re
from pathlib import Path
from typing import Any

import pytest
from rest_framework.test import APIClient

from common.figures import FIGURES
from common.help import documents, glossary
from common.help.documents import (
    DOCUMENTS,
    FOLDER,
    find_document,
    find_place,
    list_documents,
    list_places,
    read_document,
)
from common.help.glossary import read_terms
from common.help.search import MOST_FOUND

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "frontend" / "src"
PLACES = set(list_places())


def said_by_pages() -> set[str]:
    """Return the terms that pages explain somewhere."""
    said = re.compile(r"""<(?:Annotators)?Term\s+name="([\w-]+)"|\bexplained\("([\w-]+)"\)""")
    texts = (file.read_text() for file in SOURCES.rglob("*.ts*") if ".test." not in file.name)
    return {first or second for text in texts for first, second in said.findall(text)}


class TestDocuments:
    @pytest.mark.parametrize("name", DOCUMENTS)
    def test_lead_to_places_that_are_there(self, name: str) -> None:
        links = re.findall(r'href="([^"]*)"', find_document(name=name).html)
        ours = [link for link in links if not link.startswith("https://")]
        assert {link.removeprefix("/help/") for link in ours} <= PLACES

    @pytest.mark.parametrize("name", DOCUMENTS)
    def test_show_pictures_that_are_there_and_described(self, name: str) -> None:
        html = find_document(name=name).html
        pictures = re.findall(r'<img src="([^"]*)" alt="([^"]+)">', html)
        assert len(pictures) == html.count("<img")
        for address, _ in pictures:
            reply = APIClient().get(address)
            assert (reply.status_code, reply["Content-Type"]) == (200, "image/png")
            assert reply.content.startswith(b"\x89PNG")

    @pytest.mark.parametrize("name", ["nothing.png", "..%2Fguide.md", "guide.md", "%2Fetc%2Fpasswd"])
    def test_show_no_other_file(self, name: str) -> None:
        assert APIClient().get(f"/api/help/pictures/{name}").status_code == 404

    @pytest.mark.parametrize("name", DOCUMENTS)
    def test_lead_on_disk_to_files_that_are_there(self, name: str) -> None:
        links = re.findall(r"\]\(([^)#]+)[^)]*\)", (FOLDER / f"{name}.md").read_text())
        ours = [link for link in links if not link.startswith("https://")]
        assert [link for link in ours if not (FOLDER / link).exists()] == []

    @pytest.mark.parametrize("name", DOCUMENTS)
    def test_have_headings_that_an_address_can_name(self, name: str) -> None:
        headings = documents.read_document(name).headings
        assert len({heading.id for heading in headings}) == len(headings) > 0

    @pytest.mark.parametrize("name", DOCUMENTS)
    def test_name_every_column_of_their_tables(self, name: str) -> None:
        assert not re.search(r"<th[^>]*></th>", find_document(name=name).html)

    def test_leave_out_what_is_not_for_users(self) -> None:
        assert not {"benchmarks", "proof", "speed"} & {entry.name for entry in list_documents()}
        assert find_place("proof.md", of="judges") is None
        assert find_place("decisions/0022-what.md#answers", of="judges") is None
        assert "proof" not in find_document(name="reports").html

    def test_are_reached_by_links_between_files(self) -> None:
        assert find_place("formats.md#exports", of="answers") == "formats#exports"
        assert find_place("#accounts", of="operations") == "operations#accounts"
        assert 'href="/help/formats#exports"' in find_document(name="answers").html

    def test_are_in_the_container(self) -> None:
        for files, folder in (("docs/*.md", "docs/"), ("docs/images/*.png", "docs/images/")):
            assert f"COPY {files} {folder}\n" in (ROOT / "Dockerfile").read_text()
            assert f"!{files}" in (ROOT / ".dockerignore").read_text().splitlines()


class TestServing:
    """Signed out, since whoever is about to join may ask, too."""

    def test_lists_pages_with_their_parts(self) -> None:
        entries = APIClient().get("/api/help").json()
        assert [entry["name"] for entry in entries] == list(DOCUMENTS)
        assert entries[0]["name"] == "start"
        guide = next(entry for entry in entries if entry["name"] == "guide")
        assert guide["part"] == "Guides by role"
        assert {"id": "importing-files", "title": "Importing files"} in guide["sections"]

    def test_gives_a_page_as_html_below_its_title(self) -> None:
        page = APIClient().get("/api/help/protocols").json()
        assert page["title"] == "Protocols"
        assert "<h1" not in page["html"]
        assert '<h2 id="previewing-the-protocol">Previewing the protocol</h2>' in page["html"]

    @pytest.mark.parametrize("name", ["proof", "nothing", "..%2FREADME", "guide.md"])
    def test_gives_nothing_else(self, name: str) -> None:
        assert APIClient().get(f"/api/help/{name}").status_code == 404


def find(words: str) -> dict[str, Any]:
    """Return what a search finds, signed out."""
    reply = APIClient().get("/api/help/search", {"search": words})
    assert reply.status_code == 200
    found: dict[str, Any] = reply.json()
    return found


class TestSearching:
    def test_finds_a_heading_before_what_only_mentions_it(self) -> None:
        first, *others = find("sending an answer back")["hits"]
        assert (first["page"], first["section"]) == ("protocols", "sending-an-answer-back")
        assert others

    def test_finds_a_page_by_its_title(self) -> None:
        first = find("follow efficientqa’s protocol")["hits"][0]
        assert (first["page"], first["section"], first["title"]) == ("efficientqa", "", first["page_title"])

    def test_takes_every_word_by_its_beginning_in_any_case(self) -> None:
        both = find("SPEND cap")
        assert 0 < both["total"] < find("cap")["total"]
        assert find("cap spend")["total"] == both["total"]
        assert find("pending cap")["total"] < both["total"]

    def test_shows_words_around_the_first_that_is_found_cut_between_words(self) -> None:
        (hit,) = (hit for hit in find("Feinstein")["hits"] if hit["page"] == "kappa")
        assert "Feinstein" in hit["excerpt"]
        assert len(hit["excerpt"]) < 220
        words = hit["excerpt"].strip("… ")
        assert words in " ".join(heading.words for heading in read_document("kappa").headings)

    def test_leads_to_places_that_are_there(self) -> None:
        found = find("a")
        places = {f"{hit['page']}#{hit['section']}".rstrip("#") for hit in found["hits"]}
        assert places <= PLACES
        assert len(found["hits"]) == MOST_FOUND < found["total"]

    def test_leaves_out_what_is_not_for_users(self) -> None:
        assert {hit["page"] for hit in find("proof")["hits"]} <= set(DOCUMENTS)

    @pytest.mark.parametrize("words", ["", " ", "…", "xyzzyx", "(", "\\", "a" * 200])
    def test_finds_nothing_where_there_is_nothing_to_find(self, words: str) -> None:
        assert find(words) == {"total": 0, "hits": []}

    def test_refuses_more_than_anybody_types(self) -> None:
        assert APIClient().get("/api/help/search", {"search": "a" * 201}).status_code == 400


class TestGlossary:
    def test_explains_each_term_once_in_whole_sentences(self) -> None:
        terms = list(read_terms())
        assert len({term.key for term in terms}) == len(terms) > 50
        assert [term.key for term in terms if not term.about.endswith((".", ".”"))] == []
        assert {term.see for term in terms} <= PLACES

    def test_explains_no_figure_that_has_its_words_already(self) -> None:
        figures = {glossary.slug_of(figure.plain) for figure in FIGURES.values() if figure.about}
        assert {term.key for term in read_terms()} & figures == set()

    def test_has_the_figures_of_the_tables(self) -> None:
        html = find_document(name="glossary").html
        assert html.count("<strong>Gwet’s AC1</strong>: Agreement beyond chance.") == 1
        assert f"<strong>Krippendorff’s α</strong>: {FIGURES['krippendorff_alpha'].about}" in html
        assert {figure.see for figure in FIGURES.values() if figure.about} <= PLACES

    def test_every_term_is_explained_on_a_page_and_pages_explain_no_other(self) -> None:
        of_figures = {figure.term for figure in FIGURES.values() if figure.term}
        assert said_by_pages() | of_figures == {term.key for term in read_terms()}

    def test_a_line_that_is_no_term_is_named(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "glossary.md").write_text("# Glossary\n\n## Words\n\n- **Pilot**: *A first round*.\n")
        monkeypatch.setattr(glossary, "FOLDER", tmp_path)
        with pytest.raises(ValueError, match=r"A first round"):
            list(read_terms())
