"""HTTP for projects; later steps take the views for each role from here."""

from annotation.projects.api.access import (
    LEAD,
    AdjudicatorView,
    AnnotatorView,
    LeadView,
    ProjectView,
    WrongRole,
)
