"""Whether answers are still of the kind of which a random sample was drawn."""

import numpy as np

from analysis.arrays import Floats

# Of both tests together: where nothing drifts, one look in a hundred says that something did.
LEVEL = 0.01


def has_drifted(*, sample: Floats, now: Floats, fresh: Floats, level: float = LEVEL) -> bool:
    """Say whether a judge's scores are distributed otherwise than in a random sample of before.

    sample, now, fresh: scores of the sample, of all answers that it is to stand for today, and of those that
    came after it was drawn; what has no score has a number of its own. Both are compared with the sample by
    the test of Kolmogorov and Smirnov, each at half the level (Bonferroni): a few new answers that are quite
    different would not show among all. Ties make it say so less often than the level. Few answers show
    nothing: no drift found is no proof that there is none.
    """
    if not len(sample):
        return False
    from scipy.stats import ks_2samp

    tests = [ks_2samp(sample, other).pvalue for other in (now, fresh) if len(other)]
    return bool(np.any(np.array(tests) < level / 2))
