"""HTTP for projects; later steps take `ProjectView` and the roles from here."""

from annotation.projects.api.access import ADJUDICATOR, ANNOTATOR, LEAD, ProjectView, WrongRole
