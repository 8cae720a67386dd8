"""Say what produced the numbers of a table that sets programs and people beside each other."""

from annotation.projects.models import Project
from annotation.projects.selectors import name_sample
from common.signatures import sign_figures
from judges.comparison.rules.study.resampling import RESAMPLES, SEED


def sign_comparison(project: Project, subject: str, **choices: object) -> str:
    """Return in one line what a table is of, what was chosen, and how questions are drawn for intervals."""
    return sign_figures(subject, **choices, sample=name_sample(project), seed=SEED, resamples=RESAMPLES)
