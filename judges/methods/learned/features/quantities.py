"""Numbers, dates, centuries and units: those of an answer beside those of a gold answer."""

import math

from judges.methods.fuzzy.fuzzy_match_guarded import DAYS
from judges.methods.learned.features.texts import MONTH_WORDS, Gold, Question, Said, dates_of, periods_of
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
        **_of_spans(gold, said),
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


def of_all_dates(question: Question, said: Said) -> dict[str, float]:
    """Compare the dates of all gold answers: beside "1788" stands "18 January 1788", not "26 January"."""
    own = [date for gold in question.golds for date in gold.dates]
    theirs = dates_of(said.text)
    pairs = [
        (one, other)
        for one in own
        for other in theirs
        if one.year == other.year or not one.year or not other.year
    ]
    years = {date.year for date in own if date.year} & said.number_set
    is_equal = any(one.month == other.month and (one.day == other.day or not one.day) for one, other in pairs)
    differs = any(
        one.month != other.month or bool(one.day and other.day and one.day != other.day)
        for one, other in pairs
        if one.year == other.year != ""
    )
    return {
        "dates_equal": float(is_equal),
        "dates_year_only": float(bool(years) and not theirs),
        "dates_month_only": float(
            any(one.month == other.month and bool(one.day) and not other.day for one, other in pairs)
        ),
        "dates_differ": float(differs and not is_equal),
        "dates_differ_beside_year": float(
            differs and not is_equal and any(gold.years and not gold.dates for gold in question.golds)
        ),
    }


def of_all_numbers(question: Question, gold: Gold, said: Said) -> dict[str, float]:
    """Compare the numbers of all gold answers: of "1439 / Gutenberg" an answer may have the name alone."""
    asked, there = question.numbers, said.number_set - question.numbers
    own = {number for each in question.golds for number in each.numbers} - asked
    years, said_years = set(filter(is_year, own)), set(filter(is_year, there))
    amounts = _floats(frozenset(own - years))
    gap = min(
        (
            abs(one - other) / max(abs(one), abs(other), 1.0)
            for one in amounts
            for other in _floats(frozenset(there - said_years))
        ),
        default=1.0,
    )
    return {
        "golds_years_missed": float(bool(years and said_years) and years.isdisjoint(said_years)),
        "golds_years_missed_beside": float(
            bool(years and said_years) and years.isdisjoint(said_years) and not gold.years
        ),
        "golds_numbers_missed": float(bool(own and there) and own.isdisjoint(there)),
        "golds_numbers_gap": min(gap, 1.0),
        "golds_numbers_near": float(0.0 < gap <= 0.03),
        "golds_numbers_about": float(0.0 < gap <= 0.12),
    }


def _of_spans(gold: Gold, said: Said) -> dict[str, float]:
    """Compare years with decades and centuries: 1926 lies in "the 1920s", not in "the early 1920s"."""
    own = [int(year) for year in gold.text_years]
    theirs = [int(said.words[place]) for place in said.text.numbers if is_year(said.words[place])]
    spans = periods_of(said.text)
    away = min((max(low - year, year - high, 0) for year in own for low, high in spans), default=99)
    away_back = min(
        (max(low - year, year - high, 0) for year in theirs for low, high in gold.periods), default=99
    )
    return {
        "period_holds": float(away == 0),
        "period_gap": math.log1p(min(away, 99)),
        "period_held": float(away_back == 0),
        "period_gap_back": math.log1p(min(away_back, 99)),
        "period_only": float(bool(spans) and len(theirs) == len(said.text.decades)),
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
