"""What a study’s report says, over plain values."""

from judges.release.rules.agreement import AgreementRow, agreement_rows
from judges.release.rules.bars import BarChart, Line, Mark, lay_out
from judges.release.rules.facts import GoldFacts, JudgeFacts, StudyFacts
from judges.release.rules.failures import BoardTable, lay_out_board
from judges.release.rules.judges import JudgeTable, lay_out_judges
from judges.release.rules.methods import Methods, write_methods
from judges.release.rules.published import JUDGE_MEASURES, PublishedRow, published_rows
from judges.release.rules.words import (
    FigureWords,
    coefficient_words,
    protocol_lines,
    questions_words,
    why_lacking,
)

__all__ = [
    "JUDGE_MEASURES",
    "AgreementRow",
    "BarChart",
    "BoardTable",
    "FigureWords",
    "GoldFacts",
    "JudgeFacts",
    "JudgeTable",
    "Line",
    "Mark",
    "Methods",
    "PublishedRow",
    "StudyFacts",
    "agreement_rows",
    "coefficient_words",
    "lay_out",
    "lay_out_board",
    "lay_out_judges",
    "protocol_lines",
    "published_rows",
    "questions_words",
    "why_lacking",
    "write_methods",
]
