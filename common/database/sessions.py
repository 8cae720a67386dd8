"""Sessions in the database, as Django keeps them; each request reads one, by SQL that is written once."""

from datetime import datetime

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.db.models import QuerySet

from common.clock import now
from common.database.prepared import prepared


@prepared
def _unexpired(*, key: str, at: datetime) -> QuerySet[Session]:
    return Session.objects.filter(session_key=key, expire_date__gt=at)


class SessionStore(db.SessionStore):
    """A session of Django's, read as a prepared statement."""

    def _get_session_from_db(self) -> Session | None:
        found = _unexpired(key=str(self.session_key), at=now())
        if not found:
            # As Django does: what is not there is made anew, under a key of its own.
            self._session_key = None
        return found[0] if found else None
