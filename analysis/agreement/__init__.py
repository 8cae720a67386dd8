"""Agreement among raters, computed from sums that are weighed anew instead of counted anew."""

from analysis.agreement.bands import is_paradox, name_band, name_bands
from analysis.agreement.coefficients import (
    Coefficient,
    compute,
    fleiss_kappa,
    gwet_ac1,
    krippendorff_alpha,
    krippendorff_alpha_ordinal,
    label_shares,
    observed_agreement,
)
from analysis.agreement.pairs import (
    MOST_PAIRS,
    PairTables,
    cohen_kappa,
    mean_cohen_kappa,
    sum_pairs,
    sums_of_table,
    tabulate_pairs,
    tabulate_two,
)
from analysis.agreement.sums import count_labels, sum_groups, sum_items, sum_votes, unpack_sums
from analysis.agreement.votes import (
    NOT_RATED,
    MissingVotes,
    Ratings,
    fill_missing_votes,
    find_patterns,
    merge_labels,
)
