"""Reproduce published studies from their released files, the way a team would work through the product."""

from judges.management.reproduction.efficientqa import (
    difference_from,
    report_of_efficientqa,
    reproduce_efficientqa,
)
from judges.management.reproduction.evouna import report_of_evouna, reproduce_evouna
from judges.management.reproduction.gpt3qa import (
    find_gpt3qa_files,
    lines_of_gpt3qa,
    report_of_gpt3qa,
    reproduce_gpt3qa,
)
from judges.management.reproduction.openqa_eval import (
    find_openqa_eval_files,
    report_of_openqa_eval,
    reproduce_openqa_eval,
)
from judges.management.reproduction.printing import lines_of_reproduction
from judges.management.reproduction.steps import FilesMissing, Finished, ImportFailed, report_of, run_command

__all__ = [
    "FilesMissing",
    "Finished",
    "ImportFailed",
    "difference_from",
    "find_gpt3qa_files",
    "find_openqa_eval_files",
    "lines_of_gpt3qa",
    "lines_of_reproduction",
    "report_of",
    "report_of_efficientqa",
    "report_of_evouna",
    "report_of_gpt3qa",
    "report_of_openqa_eval",
    "reproduce_efficientqa",
    "reproduce_evouna",
    "reproduce_gpt3qa",
    "reproduce_openqa_eval",
    "run_command",
]
