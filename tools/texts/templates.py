"""The texts of templates of Django that people read."""

import html
import re
from collections.abc import Iterator

# Where a text ends in a template: at all tags but those within sentences.
BLOCK = re.compile(
    r"</?(?!(?:a|b|em|code|strong|span|small)\b)\w[^>]*>|{%\s*(?:for|endfor|include|load)\b.*?%}"
)


def texts_of_template(source: str) -> Iterator[str]:
    """Yield what people read in a template of Django, also in attributes."""
    source = re.sub(r"<style>.*?</style>", "<style>", source, flags=re.DOTALL)
    attributes = re.findall(r'(?<![\w-])(?:aria-label|title|line|axis|note)="([^"]*)"', source)
    for tag, sign in (("if [^%]*", "["), ("(?:else|elif [^%]*)", "|"), ("endif", "]")):
        source = re.sub(rf"{{%\s*{tag}\s*%}}", sign, source)
    for block in [*BLOCK.split(source), *attributes]:
        words = re.sub(r"{{\s*[\w.]*?(\w+)(\|[^}]*)?\s*}}", r"{\1}", re.sub(r"<[^>]*>", "", block))
        if re.search(r"[^\W\d_]{2}", re.sub(r"\{\w+\}", " ", words)):
            yield " ".join(html.unescape(words).split())
