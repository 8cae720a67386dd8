"""What a study’s report says, over plain values."""

from judges.release.rules.methods import (
    GoldFacts,
    JudgeFacts,
    Methods,
    StudyFacts,
    coefficient_words,
    protocol_lines,
    questions_words,
    why_lacking,
    write_methods,
)
from judges.release.rules.report import (
    BoardTable,
    Line,
    Mark,
    agreement_rows,
    lay_out,
    lay_out_board,
    lay_out_judges,
    published_rows,
)
