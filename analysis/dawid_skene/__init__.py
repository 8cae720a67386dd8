"""How often raters are right where nobody knows the truth, estimated from how their votes agree."""

from analysis.dawid_skene.fitting import fit
from analysis.dawid_skene.models import DAWID_SKENE, ONE_COIN, Model
from analysis.dawid_skene.votes import Votes
