"""Numbers, dates, centuries and units: those of an answer beside those of a gold answer."""

import math

from judges.methods.fuzzy.fuzzy_match_guarded import DAYS
from judges.methods.learned.features.texts import MONTH_WORDS, Gold, Question, Said
from judges.methods.learned.reading import Text, is_year

UNITS = frozenset(
    [
        "year",
        "years",
        "month",
        "months",
        "week",
        "weeks",
        "day",
        "days",
        "hour",
        "hours",
        "minute",
        "minutes",
        "second",
        "seconds",
        "percent",
        "mile",
        "miles",
        "kilometer",
        "kilometers",
        "km",
        "meter",
        "meters",
        "metres",
        "feet",
        "foot",
        "inch",
        "inches",
        "pound",
        "pounds",
        "kg",
        "dollar",
        "dollars",
        "euro",
        "euros",
        "degree",
        "degrees",
        "episode",
        "episodes",
        "season",
        "seasons",
        "people",
        "times",
    ]
)
_BEFORE = frozenset({"bc", "bce"})


def of_numbers(question: Question, gold: Gold, said: Said) -> dict[str, float]:
    """Compare numbers; those of the question say nothing."""
    there = said.number_set
    asked = question.numbers
    wanted = gold.numbers - asked or gold.numbers
    shared = wanted & there
    others = [number for number in said.numbers if number not in gold.numbers and number not in asked]
    years = {number for number in there if is_year(number)}
    stated = _floats(wanted)
    gap = min(
        (abs(one - other) / max(abs(one), abs(other), 1.0) for one in stated for other in _floats(there)),
        default=1.0,
    )
    return {
        "numbers_all": float(bool(wanted) and wanted <= there),
        "numbers_share": len(shared) / len(wanted) if wanted else 0.0,
        "numbers_none": float(bool(wanted) and not shared),
        "numbers_other": math.log1p(len(others)),
        "numbers_contradict": float(bool(wanted) and not shared and bool(others)),
        "numbers_begin": float(
            bool(wanted)
            and not shared
            and any(other.startswith(number) for number in wanted if len(number) > 2 for other in there)
        ),
        "numbers_gap": min(gap, 1.0) if stated and there else 1.0,
        "years_differ": float(bool(gold.years) and bool(years) and not gold.years & years),
        "years_equal": float(bool(gold.years & years)),
        "years_extra": float(len(years - gold.years - asked)),
        "first_number_right": float(
            bool(wanted) and next((number in wanted for number in said.numbers if number not in asked), False)
        ),
        "has_number": float(bool(there)),
        "has_unit": float(not UNITS.isdisjoint(said.words)),
        "unit_shared": float(any(word in UNITS and word in said.words for word in gold.text.words)),
        "number_for_name": float(not gold.numbers and len(said.numbers) == len(said.words)),
        "name_for_number": float(bool(wanted) and not there),
    }


def of_dates(gold: Gold, said: Said) -> dict[str, float]:
    """Compare months, days, years, decades and centuries."""
    month, day = gold.month, gold.day
    months = [place for place, word in enumerate(said.words) if word in MONTH_WORDS]
    same_month = [place for place in months if said.words[place] == month]
    days = {
        word for place in same_month for word in said.words[max(0, place - 1) : place + 2] if word in DAYS
    }
    decades = {year[:3] for year in said.number_set if is_year(year)}
    nearest = min(
        (abs(int(one) - int(other)) for one in gold.years for other in said.number_set if is_year(other)),
        default=99,
    )
    return {
        "month_equal": float(bool(same_month)),
        "month_differs": float(bool(month) and bool(months) and not same_month),
        "month_missing": float(bool(month) and not months),
        "month_added": float(not month and bool(months)),
        "day_equal": float(bool(day) and day in days),
        "day_differs": float(bool(day) and bool(days) and day not in days),
        "year_gap": math.log1p(nearest) if nearest < 99 else 5.0,
        "decade_equal": float(any(year[:3] in decades for year in gold.years)),
        **_of_periods(gold, said),
    }


def _of_periods(gold: Gold, said: Said) -> dict[str, float]:
    """Compare centuries and eras: "957 BC" lies in "the 10th century BC"; all 0 where one side has none."""
    own, theirs = _centuries(gold.text), _centuries(said.text)
    eras, said_eras = not _BEFORE.isdisjoint(gold.text.words), not _BEFORE.isdisjoint(said.words)
    both = bool(own) and bool(theirs)
    return {
        "century_equal": float(both and not own.isdisjoint(theirs)),
        "century_differs": float(both and own.isdisjoint(theirs)),
        "century_named": float("century" in gold.text.words) - float("century" in said.words),
        "era_equal": float(eras and said_eras),
        "era_differs": float(eras != said_eras and (both or bool(gold.numbers))),
    }


def _centuries(text: Text) -> set[int]:
    found = set()
    for place in text.numbers:
        number = text.words[place]
        if is_year(number):
            found.add(int(number) // 100 + 1)
        elif text.words[place + 1 : place + 2] in (("century",), ("centuries",)) and number.isdigit():
            found.add(int(number[:3]))
        elif not _BEFORE.isdisjoint(text.words[place + 1 : place + 2]) and number.isdigit():
            found.add(int(number[:6]) // 100 + 1)
    return found


def _floats(numbers: frozenset[str]) -> list[float]:
    return [float(number) for number in numbers if len(number) < 16]
