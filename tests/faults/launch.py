"""Start Django in a process of its own: `python -m tests.faults.launch COMMAND OPTIONS`."""

import json
import os
import sys

import django


def main() -> None:
    """Run one command of `tests.faults` with options given as JSON."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    django.setup()
    # Models can be imported only now.
    from tests.faults import beside, clients, crowd, prejudging

    (beside.COMMANDS | clients.COMMANDS | crowd.COMMANDS | prejudging.COMMANDS)[sys.argv[1]](
        **json.loads(sys.argv[2])
    )


if __name__ == "__main__":
    main()
