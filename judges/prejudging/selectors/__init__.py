"""Read policies, what they would settle, what they have settled, and what the audit says of that."""

from judges.prejudging.selectors.audit import read_audit
from judges.prejudging.selectors.findings import (
    FoundAnswer,
    SaidVerdict,
    find_answers,
    open_question_ids,
)
from judges.prejudging.selectors.policies import (
    ApplicationCounts,
    ApplicationNotFound,
    ChoosableRun,
    RuleCounts,
    count_answers,
    find_applications,
    find_same,
    get_application,
    get_policy,
    labels_of,
    last_number,
    list_applications,
    list_runs,
    spell_rules,
)
from judges.prejudging.selectors.preview import Preview, PreviewRow, SampleAnswer, preview_rules
from judges.prejudging.selectors.settled import SettledAnswer, describe_settled, find_settled

__all__ = [
    "ApplicationCounts",
    "ApplicationNotFound",
    "ChoosableRun",
    "FoundAnswer",
    "Preview",
    "PreviewRow",
    "RuleCounts",
    "SaidVerdict",
    "SampleAnswer",
    "SettledAnswer",
    "count_answers",
    "describe_settled",
    "find_answers",
    "find_applications",
    "find_same",
    "find_settled",
    "get_application",
    "get_policy",
    "labels_of",
    "last_number",
    "list_applications",
    "list_runs",
    "open_question_ids",
    "preview_rules",
    "read_audit",
    "spell_rules",
]
