"""What a study’s report says, over plain values."""

from judges.release.rules.bars import BarChart, Line, Mark, lay_out
from judges.release.rules.facts import GoldFacts, JudgeFacts, StudyFacts
from judges.release.rules.failures import BoardTable, lay_out_board
from judges.release.rules.methods import Methods, write_methods
from judges.release.rules.published import JUDGE_MEASURES, PublishedRow, published_rows
from judges.release.rules.words import DASH, percent, protocol_lines, questions_words, with_interval

__all__ = [
    "DASH",
    "JUDGE_MEASURES",
    "BarChart",
    "BoardTable",
    "GoldFacts",
    "JudgeFacts",
    "Line",
    "Mark",
    "Methods",
    "PublishedRow",
    "StudyFacts",
    "lay_out",
    "lay_out_board",
    "percent",
    "protocol_lines",
    "published_rows",
    "questions_words",
    "with_interval",
    "write_methods",
]
