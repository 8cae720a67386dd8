"""doccano asked for less than by its page: the next text, to keep a label, to note that it is done."""

from functools import partial

from benchmarks.peers import doccano

DATABASES = doccano.DATABASES


class Rater(doccano.Rater):
    """A rater whose program reads no labels and no progress."""

    def prepare(self) -> None:
        """Do nothing."""

    def _read_labels(self) -> None:
        """Do nothing."""


platform = partial(doccano.platform, name="doccano (fewest requests)", module=__name__)
