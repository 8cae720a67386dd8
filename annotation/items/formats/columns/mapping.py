"""What people say that columns mean."""

from collections.abc import Iterable

from annotation.items.formats.columns.names import MAPPABLE, SYNONYMS, known_meaning


class BadMapping(ValueError):
    """A mapping that names a meaning which does not exist, or one meaning twice."""


def parse_mapping(pairs: Iterable[str]) -> dict[str, str]:
    """Read pairs "their column=meaning" into column → meaning; "meaning=their column" is understood too.

    Where both sides could be a meaning, the one in `MAPPABLE` is; where both are in it, the right one.
    Raises `BadMapping`.
    """
    return dict(_pair(pair) for pair in pairs)


def _pair(pair: str) -> tuple[str, str]:
    left, _, right = (part.strip() for part in pair.partition("="))
    # A column may be called by another word for a meaning, as in "prediction=Antwort".
    if left in SYNONYMS and right and known_meaning(right) != right:
        return right, left
    if left and (meaning := known_meaning(right)):
        return left, meaning
    if right and (meaning := known_meaning(left)):
        return right, meaning
    raise BadMapping(
        f"“{pair}” is not a mapping. Write column=meaning with one of these meanings: {', '.join(MAPPABLE)}."
    )
