"""Imports, checked and brought in, on both databases: generic predictions, and OpenQA-eval's outputs."""

import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from benchmarks.databases import both_databases
from benchmarks.processes import database_seconds, peak_memory

OUTPUTS = Path(__file__).resolve().parents[2] / "shared" / "data" / "openqa-eval" / "model_outputs"
GENERIC = 100_000
SYSTEMS = 10
GOAL_SECONDS = 20


def run() -> None:
    """Print what each import took; on PostgreSQL only where one runs on this machine."""
    with tempfile.TemporaryDirectory() as folder:
        generic = Path(folder) / "generic.jsonl"
        generic.write_text("".join(_lines()), encoding="utf-8")
        studies = {"generic": [generic], "openqa-eval": sorted(OUTPUTS.glob("*.jsonl"))}
        for name, environment in both_databases(Path(folder), name="import_bench"):
            for preset, files in studies.items():
                if files:
                    # A process of its own: none inherits what another kept.
                    command = [sys.executable, "-m", "benchmarks.imports", name, preset, *map(str, files)]
                    subprocess.run(command, env=environment, check=True)


def _lines() -> list[str]:
    return [
        json.dumps(
            {
                "question": f"what is the name of number {place}",
                "answer": f"number {place}",
                "model": f"system {system}",
                "prediction": f"it is number {place + system % 7}",
            }
        )
        + "\n"
        for place in range(GENERIC // SYSTEMS)
        for system in range(SYSTEMS)
    ]


def measure(database: str, preset: str, files: list[str]) -> None:
    """Bring files in as `import_data` does, and print what that took."""
    from django.core.files.base import File
    from django.core.management import call_command

    from annotation.accounts.models import User
    from annotation.items.models import DataImport, Prediction
    from annotation.items.services import check_import, confirm_import, create_import
    from annotation.projects.services import create_project
    from common import tasks

    call_command("migrate", verbosity=0)
    # Nobody listens here for rings: the judges that start by themselves are another section.
    tasks._ring = lambda *_args, **_options: None
    lead, _ = User.objects.get_or_create(username="lead")
    project = create_project(lead=lead, name=preset, preset="openqa-eval")
    start, cpu, server = time.perf_counter(), time.process_time(), database_seconds()
    with ExitStack() as stack:
        opened = [File(stack.enter_context(Path(path).open("rb")), name=Path(path).name) for path in files]
        made = create_import(
            project=project,
            by=lead,
            files=opened,
            format_key="generic" if preset == "generic" else "openqa-eval-outputs",
            options={},
        )
    check_import(import_id=made.pk)
    confirm_import(data_import=DataImport.objects.get(pk=made.pk))
    took, cpu = time.perf_counter() - start, time.process_time() - cpu
    print(
        f"{database:<11}{preset:<12}{Prediction.objects.filter(question__project=project).count():>9,} "
        f"predictions in {took:.1f} s ({cpu:.1f} s of a core in the process, "
        f"{database_seconds() - server:.1f} in the database; goal {GOAL_SECONDS} s for {GENERIC:,}), "
        f"peak memory {peak_memory():.0f} MB, load {os.getloadavg()[0]:.0f}"
    )


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    measure(sys.argv[1], sys.argv[2], sys.argv[3:])
