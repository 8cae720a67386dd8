"""Read sets of tags, rounds, and what was said of their items."""

from judges.tagging.selectors.items import get_item, list_items, view_item
from judges.tagging.selectors.population import find_population
from judges.tagging.selectors.proposing import choices_of, round_of, tag_choices, tagged_verdicts
from judges.tagging.selectors.rounds import (
    RoundView,
    describe_round,
    get_round,
    judge_name,
    list_rounds,
    list_runs,
    list_taggers,
    may_tag,
    offered_tags,
    read_results,
    view_comparison,
)
from judges.tagging.selectors.sets import (
    ListedSet,
    TagSetNotFound,
    find_spec,
    get_listed,
    list_specs,
    newest_set,
)
