"""What papers printed beside what comes out of their released files, and why the two differ where they do.

Every cell was printed by its paper; none is computed. Where a paper's cell is not at hand it is left out.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from analysis.intervals import number_or_none
from analysis.ranking import kendall_tau_b

# Computed figures stand beside cells in per cent; beyond half a unit of the last place they differ.
_ROUNDED_TWICE = 0.0051

NOT_KNOWN = "not known"
OTHER_OUTPUTS = "the released outputs are not those of the published run"
OTHER_VERDICTS = "the released verdicts are not those of the published run"
CLEAN_GOLD = "scored on gold answers without mojibake: importing with mojibake=repair gives the printed value"
PRINTED_CELLS = "the paper ranks systems by its printed cells; the next figure is computed from those"
OLDER_FILE = "the tables come from an older file: the release of June 2023 (commit 2ab2bb4) gives the value"
OLDEST_FILE = (
    "the file of May 2023 gives 89.58; a match in one cell, after trying three files, is a hint, not proof"
)
FIRST_500 = "the paper’s GPT-4 uses the first 500 rows of the file: --first-rows 500 gives the value"
NO_RULE = "no single rule gives the printed cells of this data set"
EDGE = "within 0.06; the file of June 2023 is closest"


class Cell(NamedTuple):
    """A printed cell: where it stands, whose it is, of which figure; `why`: the cause where it differs."""

    table: str
    system: str
    measure: str
    value: float
    places: int = 1
    why: str = NOT_KNOWN


class Compared(NamedTuple):
    """A printed cell beside what the files give, in the cell's unit; `why` is empty where they are equal."""

    table: str
    system: str
    measure: str
    published: float
    computed: float | None
    is_equal: bool
    why: str


def compare_cells(cells: Iterable[Cell], found: Mapping[tuple[str, str, str], float]) -> list[Compared]:
    """Set every cell beside its figure, by table, system and measure; one that is not there has None."""
    return [_compared(cell, found.get((cell.table, cell.system, cell.measure))) for cell in cells]


def _compared(cell: Cell, computed: float | None) -> Compared:
    half = 0.5 * 10**-cell.places
    is_equal = computed is not None and abs(computed - cell.value) < half + _ROUNDED_TWICE * 10 ** (
        1 - cell.places
    )
    why = "" if is_equal else cell.why if computed is not None else "not available from these files"
    return Compared(cell.table, cell.system, cell.measure, cell.value, computed, is_equal, why)


def lines_of_published(compared: Iterable[Compared]) -> list[str]:
    """Return the comparison as text, a line a cell."""
    rows = list(compared)
    if not rows:
        return []
    equal = sum(row.is_equal for row in rows)
    head = f"Published cells: {equal} of {len(rows)} match at their printed precision"
    width = max(len(f"{row.table}, {row.system}, {row.measure}") for row in rows)
    return ["", head, f"  {'':{width}}  published   computed", *(_line(row, width) for row in rows)]


def _line(row: Compared, width: int) -> str:
    name = f"{row.table}, {row.system}, {row.measure}"
    computed = "-" if row.computed is None else f"{row.computed:.6g}"
    sign = "=" if row.is_equal else f"differs: {row.why}"
    return f"  {name:{width}}  {row.published:>9g}  {computed:>9}  {sign}"


# Kamalloo et al. 2023, the judged sample: EM, F1, BEM, InstructGPT-eval, GPT4-eval, Human in per cent.
NQ301 = {
    "NQ301_text-davinci-003_zeroshot": (12.6, 27.5, 63.5, 77.1, 68.8, 71.4),
    "NQ301_text-davinci-003_fewshot-n64": (33.9, 50.5, 59.5, 67.8, 68.8, 75.8),
    "NQ_DPR": (46.5, 53.1, 52.5, 55.1, 56.5, 58.8),
    "NQ_FiD": (47.5, 55.5, 58.1, 61.1, 62.1, 64.8),
    "NQ_Contriever_FiD": (45.9, 55.7, 60.8, 63.1, 64.5, 66.5),
    "NQ_ANCE-plus_FiD": (48.2, 55.9, 59.5, 62.5, 62.5, 65.8),
    "NQ_Rocketv2_FiD": (49.8, 58.7, 62.5, 65.5, 67.1, 70.1),
    "NQ_GAR-plus_FiD": (50.8, 59.9, 63.1, 66.8, 67.8, 69.4),
    "NQ_FiD-KD": (51.2, 61.6, 65.8, 69.8, 69.4, 73.1),
    "NQ_EviGen": (51.8, 59.6, 62.1, 63.8, 66.1, 67.1),
    "NQ_R2D2": (52.8, 61.4, 63.8, 67.4, 65.8, 71.4),
    "NQ_EMDR2": (55.8, 64.5, 64.5, 67.8, 68.8, 73.1),
}
# All 3,610 questions: EM and F1, where the printed cell is at hand.
NQ_ENTIRE = {
    "NQ_DPR": (41.3, 48.4),
    "NQ_FiD": (45.8, 53.4),
    "NQ_Contriever_FiD": (47.1, 55.0),
    "NQ_GAR-plus_FiD": (49.1, 57.1),
    "NQ_FiD-KD": (50.0, 57.8),
    "NQ_EMDR2": (52.5, 60.8),
}
NQ_MEASURES = (
    "exact_match",
    "token_f1",
    "recorded:bem",
    "recorded:text-davinci-003",
    "recorded:gpt-4",
    "human",
)
NQ_TAU = dict(zip(NQ_MEASURES, (0.22, 0.37, 0.70, 0.82, 0.80), strict=False))
FLEISS = Cell("agreement", "first two annotators", "fleiss_kappa", 72.8)
SAMPLE, ENTIRE, TAU, TAU_OF_CELLS = "judged sample", "entire data", "tau with people", "tau of printed cells"


def _why_nq(system: str, measure: str) -> str:
    if measure in {"recorded:text-davinci-003", "recorded:gpt-4"}:
        return OTHER_VERDICTS
    if system == "NQ_FiD-KD":
        return CLEAN_GOLD
    is_other = system in {"NQ_DPR", "NQ_FiD", "NQ_Contriever_FiD", "NQ_GAR-plus_FiD", "NQ_EMDR2"}
    return OTHER_OUTPUTS if is_other else NOT_KNOWN


def cells_of_nq301() -> list[Cell]:
    """Return the printed cells of NQ301, system by system, and the rank correlations."""
    sample = [
        Cell(SAMPLE, system, measure, value, why=_why_nq(system, measure))
        for system, values in NQ301.items()
        for measure, value in zip(NQ_MEASURES, values, strict=True)
    ]
    entire = [
        Cell(ENTIRE, system, measure, value, why=_why_nq(system, measure))
        for system, values in NQ_ENTIRE.items()
        for measure, value in zip(NQ_MEASURES, values, strict=False)
    ]
    taus = [
        Cell(table, "12 systems", measure, value, places=2, why=PRINTED_CELLS if table == TAU else NOT_KNOWN)
        for measure, value in NQ_TAU.items()
        for table in (TAU, TAU_OF_CELLS)
    ]
    return [FLEISS, *sample, *entire, *taus]


def taus_of_cells() -> dict[str, float | None]:
    """Return Kendall's tau-b of each measure with people, from the printed cells of NQ301 alone."""
    columns = dict(zip(NQ_MEASURES, zip(*NQ301.values(), strict=True), strict=True))
    people = columns.pop("human")
    return {measure: number_or_none(kendall_tau_b(column, people)) for measure, column in columns.items()}


# Wang et al. 2023, lexical matching (*contain*, FiD too) in per cent, where the printed cells are at hand.
EVOUNA_MEASURES = ("accuracy", "macro_f1", "precision", "recall")
LEXICAL = "lexical matching"
TABLE_8 = "Table 8, lexical matching, all systems"
EVOUNA_NQ = (
    Cell(LEXICAL, "fid", "accuracy", 89.6, why=OLDEST_FILE),
    Cell(LEXICAL, "fid", "precision", 99.8),
    *(
        Cell(LEXICAL, "gpt35", measure, value, why=EDGE if measure == "macro_f1" else OLDER_FILE)
        for measure, value in zip(EVOUNA_MEASURES, (84.8, 84.3, 99.5, 77.1), strict=True)
    ),
    *(
        Cell(LEXICAL, "gpt4", measure, value, why=FIRST_500)
        for measure, value in zip(EVOUNA_MEASURES, (83.2, 78.1, 99.6, 79.8), strict=True)
    ),
    *(
        Cell(TABLE_8, "all", name, value, why=OLDER_FILE)
        for name, value in (("tp", 57.5), ("tn", 26.8), ("fp", 1.1), ("fn", 14.7))
    ),
)
EVOUNA_TQ = (
    Cell(LEXICAL, "gpt35", "macro_f1", 89.6),
    Cell(LEXICAL, "newbing", "recall", 87.9),
)
EVOUNA: Mapping[str, tuple[Cell, ...]] = {"NQ": EVOUNA_NQ, "TQ": EVOUNA_TQ}
