"""Lines of the log: whose request they belong to, what they must not contain, and as JSON."""

import json
import logging
import re
from datetime import UTC, datetime

from common.requests.naming import FIELD, current_request_id

# The address of a link, of its page and of what the page asks, up to the token.
_TOKEN = re.compile(
    r"(/(?:join|password|account/confirm-email|account/unsubscribe|"
    r"api/(?:email-links|password-links|invitations|unsubscribe))/)[^/\s?]+"
)


class TellsRequest(logging.Filter):
    """Gives each line of the log the id of its request, "-" where there is none."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let the line through."""
        vars(record)[FIELD] = current_request_id() or "-"
        return True


class HidesTokens(logging.Filter):
    """Takes out of each line of the log the tokens of links, which let in whoever reads them."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let the line through."""
        line = record.getMessage()
        hidden = _TOKEN.sub(r"\1…", line)
        if hidden != line:
            record.msg, record.args = hidden, ()
        return True


class JsonLines(logging.Formatter):
    """Writes a line of the log, its traceback included, as one JSON object in one line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return time (UTC, ISO 8601), level, logger, request id (null for none), message, traceback."""
        at = datetime.fromtimestamp(record.created, tz=UTC)
        line: dict[str, str | None] = {
            "time": at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": record.levelname,
            "logger": record.name,
            "request_id": current_request_id() or None,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)
