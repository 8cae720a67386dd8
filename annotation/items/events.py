"""What later steps hear of items."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.projects.events import ProjectEvent


@dataclass(frozen=True, kw_only=True)
class SampleChosen(ProjectEvent):
    """Questions enter the sample, or leave it.

    strata: of a sample drawn at random, the questions of which each part was drawn: their ids, and the
    probability of each.
    """

    stored_as = "sample_chosen"

    entering: Sequence[int]
    leaving: Sequence[int]
    strata: Sequence[tuple[Sequence[int], float]] = ()


@dataclass(frozen=True, kw_only=True)
class ItemsChanged(ProjectEvent):
    """Questions, answers or gold answers came or went."""

    stored_as = "items_changed"


@dataclass(frozen=True, kw_only=True)
class ImportMayLeave:
    """Somebody wants to undo an import. Whoever knows of work that rests on it may refuse."""

    data_import_id: int


@dataclass(frozen=True, kw_only=True)
class ImportLeaving:
    """An import is being undone: what rests on its rows goes first."""

    data_import_id: int
