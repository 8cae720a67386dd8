"""Imports, checked and brought in, on both databases: generic predictions, and OpenQA-eval's outputs."""

import os
import tempfile
from pathlib import Path

from annotation.items.models import Prediction
from benchmarks.apparatus.databases import both_databases, start_study
from benchmarks.apparatus.inputs import write_answers
from benchmarks.apparatus.processes import peak_memory, run_apart, used
from commands.reproduction.steps import import_files

OUTPUTS = Path(__file__).resolve().parents[3] / "shared" / "data" / "openqa-eval" / "model_outputs"
GENERIC = 100_000
SYSTEMS = 10
GOAL_SECONDS = 20


def run() -> None:
    """Print what each import took; on PostgreSQL only where one runs on this machine."""
    with tempfile.TemporaryDirectory() as folder:
        generic = write_answers(Path(folder) / "generic.jsonl", questions=GENERIC // SYSTEMS, systems=SYSTEMS)
        studies = {"generic": [generic], "openqa-eval-outputs": sorted(OUTPUTS.glob("*.jsonl"))}
        for name, environment in both_databases(Path(folder), name="import_bench"):
            for format_key, files in studies.items():
                if files:
                    arguments = (name, format_key, *map(str, files))
                    run_apart("product.imports", "measure", *arguments, environment=environment)


def measure(database: str, format_key: str, *files: str) -> None:
    """Bring files in as `import_data` does, and print what that took."""
    project = start_study(format_key)
    start = used()
    import_files(project, project.created_by, format_key, map(Path, files), {})
    took = used().since(start)
    print(
        f"{database:<11}{format_key:<20}"
        f"{Prediction.objects.filter(question__project=project).count():>9,} "
        f"predictions in {took.clock:.1f} s ({took.process:.1f} s of a core in the process, "
        f"{took.database:.1f} in the database; goal {GOAL_SECONDS} s for {GENERIC:,}), "
        f"peak memory {peak_memory():.0f} MB, load {os.getloadavg()[0]:.0f}"
    )
