"""Every command and process pays for what the start loads."""

import subprocess
import sys

HEAVY = ("httpx2", "openai", "redis", "scipy", "sklearn", "torch", "transformers")


class TestStart:
    def test_loads_no_library_that_few_processes_need(self) -> None:
        code = (
            "import os, sys; os.environ['DJANGO_SETTINGS_MODULE'] = 'tests.settings'\n"
            "import django; django.setup()\n"
            "import config.celery, config.urls\n"
            f"print(*sorted(set({HEAVY!r}) & set(sys.modules)))"
        )
        done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
        assert done.stdout.split() == []
