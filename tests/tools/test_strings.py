import ast

from tools.strings import described, split
from tools.texts.python import texts_in
from tools.texts.templates import texts_of_template

MODULE = '''
"""What a module says of itself."""

logger.warning("could not reach %s", name)
class State(TextChoices):
    QUEUED = "queued", "waiting"
def find(*, sort: "Sort Order" = "by_name") -> None:
    """Find it."""
    if kind == "Not Read":
        rows = query("SELECT id FROM answers")
    raise RunNotFound(
        f"This project has {len(runs)} run{'' if one else 's'}, "
        f"and “{run.name[:60]}” is not one."
    )
parser.add_argument("--limit", help="answers", metavar="A NUMBER")
'''


class TestTexts:
    def test_of_a_module_are_what_people_read_of_it(self) -> None:
        assert list(texts_in(ast.parse(MODULE))) == [
            (6, "waiting"),
            (12, "This project has {runs} run[|s], and “{name}” is not one."),
            (15, "answers"),
        ]

    def test_of_a_template_end_at_blocks_and_keep_values_and_choices(self) -> None:
        page = (
            '<p>{{ n }} of <b>{{ facts.all|default:0 }}</b>{% if x %} now{% endif %}</p><i title="A &amp; B">'
        )
        assert list(texts_of_template(page)) == ["{n} of {all}[ now]", "A & B"]

    def test_of_a_schema_are_found_at_any_depth(self) -> None:
        schema = {"info": {"title": "Assay"}, "parameters": [{"name": "q", "description": "Which\n  words."}]}
        assert list(described(schema)) == ["Assay", "Which words."]


class TestParts:
    def test_end_where_a_file_ends(self) -> None:
        lines = ["1\ta.py:1\tOne", "2\ta.py:9\tTwo", "3\tb.py:1\tSix", "4\tc.json\tTen"]
        assert split(lines, 2) == [lines[:2], lines[2:]]
