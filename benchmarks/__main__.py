"""Run every benchmark: `make bench`; or some: `python -m benchmarks lexical fuzzy`.

What begins with `--`, and all after it, is for the sections: `python -m benchmarks http_judging --raters 32`.
"""

import os
import platform
import sys
from importlib import import_module
from itertools import takewhile

from benchmarks.apparatus.processes import set_up_django

SECTIONS = {
    "judges.lexical": "exact match, token F1 and containment beside the SQuAD loop",
    "judges.fuzzy": "Fuzzy Match beside a loop over the whole rule",
    "judges.patterns": "regular expressions on texts of 100 kB",
    "agreement": "Cohen, Fleiss and Krippendorff beside scikit-learn, statsmodels and krippendorff",
    "product.imports": "imports, checked and brought in, on SQLite and PostgreSQL",
    "product.exports": "votes exported in every form, on SQLite and PostgreSQL",
    "product.submits": "a sheet handed in, with and without triggers that count changes, on both databases",
    "judges.runs": "one worker on runs of the lexical judges, verdicts written, on PostgreSQL",
    "chromium.judging": "the next sheet after a confirm, in Chromium",
    "chromium.deciding": "the next answer after a decision, in Chromium",
    "product.gold": "the gold list of 100,000 questions, searched and filtered, on SQLite and PostgreSQL",
    "raters.http_judging": "raters in a closed loop over HTTP, beside other platforms, on both databases",
    "capacity": "what raters and verdicts need, computed and simulated from measured costs",
    "raters.sizes": "bytes a row of a judged study, on PostgreSQL",
    "product.boards": "pages that compare, on 100,000 answers, twelve systems and six judges, on PostgreSQL",
    "prejudging.certificates": "what certificates settle on EVOUNA-NQ, and how often one breaks its promise",
    "prejudging.corrected.scores": "labels corrected scores take on EVOUNA-NQ, and whether intervals hold",
    "prejudging.corrected.widths": "how wide a preview says that scores become on EVOUNA-NQ, and what comes",
    "prejudging.audited_boards": "a judge's figures after policy and draw, on EVOUNA-NQ: how often they hold",
    "prejudging.audit": "an audit looked at after every answer, on EVOUNA-NQ: how often it is ever wrong",
    "prejudging.learned": "the learned judge on EVOUNA-NQ by folds, on data it never saw, with answer memory",
    "prejudging.amendment": "gold amended by other systems and by proposals, on NQ301, one system left out",
    "prejudging.routing": "one rater and stop where a judge agrees, on NQ301: labels, and how it ends",
    "judges.bertscore": "BERTScore beside bert-score on the same model",
}


def run(arguments: list[str]) -> None:
    """Print every chosen section; one that cannot run here says why."""
    chosen = list(takewhile(lambda word: not word.startswith("--"), arguments))
    set_up_django()
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores")
    sections = {section.rpartition(".")[2]: section for section in SECTIONS}
    for name in chosen or sections:
        print(f"\n{name}: {SECTIONS[sections[name]]}")
        import_module(f"benchmarks.{sections[name]}").run(*arguments[len(chosen) :])


if __name__ == "__main__":
    run(sys.argv[1:])
