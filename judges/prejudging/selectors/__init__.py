"""What pre-judging would settle and has settled, and what its audit says."""

from judges.prejudging.selectors.audit import read_audit
from judges.prejudging.selectors.policies import Preview, find_applications, preview_rules
