"""HTTP for projects; later steps take `ProjectView` and the roles from here."""

from annotation.projects.api.access import ADJUDICATOR, ANNOTATOR, EVERYBODY, LEAD, ProjectView, WrongRole

__all__ = ["ADJUDICATOR", "ANNOTATOR", "EVERYBODY", "LEAD", "ProjectView", "WrongRole"]
