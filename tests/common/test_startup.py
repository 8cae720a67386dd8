"""Every command and process pays for what the start loads."""

import subprocess
import sys

HEAVY = ("httpx2", "openai", "redis", "scipy", "sklearn", "torch", "transformers")


START = (
    "import os, sys; os.environ['DJANGO_SETTINGS_MODULE'] = 'tests.settings'\nimport django; django.setup()\n"
)


class TestStart:
    def test_loads_no_library_that_few_processes_need(self) -> None:
        code = f"{START}import config.celery, config.urls\nprint(*sorted(set({HEAVY!r}) & set(sys.modules)))"
        done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
        assert done.stdout.split() == []

    def test_reads_no_table_of_words(self) -> None:
        """WordNet's takes a tenth of a second and 30 MB, and one judge in three needs it."""
        code = (
            f"{START}import config.urls\nfrom judges.methods.fuzzy.wordnet import load_synonyms\n"
            "print(load_synonyms.cache_info().currsize)"
        )
        done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
        assert done.stdout.split() == ["0"]

    def test_looks_for_no_garbage_among_what_stays(self) -> None:
        code = f"{START}import gc; print(gc.isenabled(), gc.get_freeze_count() > 100_000, gc.get_stats()[2])"
        done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
        assert done.stdout.split(maxsplit=2)[:2] == ["True", "True"]
        assert "'collections': 0" in done.stdout

    def test_lets_every_process_ring_where_workers_listen(self) -> None:
        """A process that only rings, as the web server, has to know the application as well."""
        code = (
            f"{START}from celery import current_app\n"
            "from django.conf import settings\n"
            "print(current_app.main, current_app.conf.broker_url == settings.CELERY_BROKER_URL)"
        )
        done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
        assert done.stdout.split() == ["assay", "True"]
