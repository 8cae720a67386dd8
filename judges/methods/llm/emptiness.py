"""Tell an answer that says nothing: models accept such answers, so they are settled without a call.

Source: Zhao et al. 2025 (arXiv 2507.08794), "master keys" such as ":", "Solution" or "Thought process:".
"""

import re
import unicodedata
from collections.abc import Sequence

from judges.methods.llm.hidden import strip_hidden

EMPTY = "empty"
CONTENT_FREE = "content_free"

# What announces an answer and is none by itself, in the languages in which it was seen to deceive.
_HEADS = (
    "answer answers solution solutions response result explanation reasoning analysis conclusion "
    "output reply step steps think thinking thoughts thought process solve okay sure certainly "
    "following follows boxed lösung antwort ergebnis erklärung réponse explication respuesta "
    "solución resultado explicación risposta soluzione resposta solução antwoord oplossing svar "
    "lösning odpowiedź rozwiązanie ответ решение объяснение відповідь cevap çözüm الجواب الإجابة "
    "الحل پاسخ תשובה פתרון उत्तर समाधान 解 解答 解答は 答案 答案是 答え 答 回答 かいせつ 解説 "
    "解释 思路 思考过程 정답 답 해설 풀이 jawaban solusi απάντηση λύση"
)
# What may stand around them.
_AROUND = (
    "a an the my our your final full complete short here heres is are of to and for it this that "
    "these below as problem question task by one i will now ok so first lets let us me work out "
    "through about consider die das endgültige la le finale el"
)
_HEAD_WORDS, _WORDS_AROUND = frozenset(_HEADS.split()), frozenset(_AROUND.split())
_NAMED_SIGNS = frozenset("@#%&§¶†‡‰")
# "None" and "unknown" are left out: honest answers, and often given.
_NO_ANSWERS = frozenset(
    {"n/a", "n.a", "na", "nan", "nil", "null", "tbd", "undefined", "not applicable", "not available"}
)
_LONGEST_OPENING = 200
_TAG = re.compile(r"</?[a-z]+>|\\[a-z]+|\bstep \d+\b|^#{1,6} ", re.IGNORECASE | re.MULTILINE)


def find_emptiness(answer: str, *, golds: Sequence[str]) -> str:
    """Return how an answer says nothing, else nothing.

    `empty`: a reader sees nothing at all. `content_free`: punctuation and openings only, none of them named
    by a gold answer.
    """
    text = strip_hidden(answer).strip()
    if not text:
        return EMPTY
    if len(text) > _LONGEST_OPENING or text.casefold() in {gold.strip().casefold() for gold in golds}:
        return ""
    words = set(_words(_TAG.sub(" ", text)))
    heads = words & _HEAD_WORDS
    if words - heads - _WORDS_AROUND or any(heads & set(_words(gold)) for gold in golds):
        return ""
    return CONTENT_FREE if heads or not words else ""


def says_next_to_nothing(answer: str, *, golds: Sequence[str]) -> bool:
    """Say whether an answer is signs ("#") or a word for none ("N/A") and no gold answer is the same.

    It may still be right in a way ("Na" for sodium), so it is no `find_emptiness`: a model judges it.
    """
    text = _bare(answer)
    if not text or text in map(_bare, golds):
        return False
    return text in _NO_ANSWERS or not any(map(str.isalnum, text))


def _bare(text: str) -> str:
    return unicodedata.normalize("NFKC", strip_hidden(text)).casefold().strip(" \t\r\n.!\"'()[]")


def _words(text: str) -> list[str]:
    # Punctuation says nothing by itself; symbols such as ∞ or @ may be an answer.
    text = unicodedata.normalize("NFKC", text).casefold().replace("'", "").replace("’", "")
    return "".join(" " if _is_mute(each) else each for each in text).split()


def _is_mute(character: str) -> bool:
    return unicodedata.category(character)[0] in "PZC" and character not in _NAMED_SIGNS
