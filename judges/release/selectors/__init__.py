"""Read what a study says of itself when it leaves."""

from judges.release.selectors.facts import read_methods
from judges.release.selectors.report import report_lines
