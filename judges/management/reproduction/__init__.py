"""Reproduce published studies from their released files, the way a team would work through the product."""

from judges.management.reproduction.evouna import report_of_evouna, reproduce_evouna
from judges.management.reproduction.gpt3qa import find_gpt3qa_files, reproduce_gpt3qa
from judges.management.reproduction.openqa_eval import find_openqa_eval_files, reproduce_openqa_eval
from judges.management.reproduction.steps import FilesMissing, ImportFailed, report_of

__all__ = [
    "FilesMissing",
    "ImportFailed",
    "find_gpt3qa_files",
    "find_openqa_eval_files",
    "report_of",
    "report_of_evouna",
    "reproduce_evouna",
    "reproduce_gpt3qa",
    "reproduce_openqa_eval",
]
