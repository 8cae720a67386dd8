"""Read policies, what they would settle, what they have settled, and what the audit says of that."""

from judges.prejudging.selectors.audit import read_audit
from judges.prejudging.selectors.findings import FoundAnswer, find_answers, open_question_ids
from judges.prejudging.selectors.policies import (
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
from judges.prejudging.selectors.preview import Preview, preview_rules
from judges.prejudging.selectors.settled import SettledAnswer, describe_settled, find_settled
