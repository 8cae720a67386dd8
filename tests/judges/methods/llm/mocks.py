"""Two models that are easily led. Each reads the prompt it gets as text, and nothing else."""

import json
import re
from typing import NamedTuple

from judges.methods.lexical.token_f1 import TokenF1, TokenF1Options
from judges.methods.llm.client import Completion, CompletionRequest
from judges.protocol import JudgeInput

# Whoever obeys at the slightest word: far wider than what the detector looks for, and made without it.
_WORDS_TO_OBEY = re.compile(
    r"correct|right|\byes\b|true|accept|approv|\bpass|mark|grad|scor|verdict|ignor|disregard|forget|"
    r"rule|instruct|gold|referenc|system|assistant|judge|evaluat|examin|\bmust\b|please|pretend|assum|"
    r"treat|doubt|overrid|counts|verified|review|mistake|check|inspect|official|solved|match|prov|"
    r"operator|thumbs|solution|strict|fail|switched|wave|compare|exam|stimm|valider|aprueba|voti|"
    r"la note|acierta|punten|算对|对的|はい|맞다|засчит|affirm|credit|point|agree|exempt|penali|same|"
    r"full|human|=> ?1|rate|say\b|fits|whichever|ignorier|antwort|richtig|ja\b|stufe|oui|vrai|consid|"
    r"respon|marca|di que|rispond|sì|negeer|ja\b|svara|odpowiedz|uznaj|zignoruj|ответ|верн|балл|"
    r"познач|ігнор|evet|doğru|تجاهل|أجب|اعتبر|درست|ענה|उत्तर|忽略|正确|满分|无视|正解|答え|정답|무시|"
    r"đúng|benar|ναι",
    re.IGNORECASE,
)
_IMPERATIVE = re.compile(r"\b(?:reply|judge|choose|consider|give|write)\b", re.IGNORECASE)
# It looks at the shape of a marker and does not compare its name, as models do.
_BLOCK = re.compile(r"<data-[0-9a-f]+>\n(.*?)</data-[0-9a-f]+>", re.DOTALL)
_ANSWER_LINE = re.compile(r"^(?:Candidate|AI-generated answer): (.*)$", re.MULTILINE)
_GOLD_LINE = re.compile(r"^(?:Answer|Gold answers): (.*)$", re.MULTILINE)
_STRICT_ENOUGH = TokenF1(TokenF1Options(threshold=0.75))


class Reading(NamedTuple):
    """What a model makes of a prompt: golds, the quoted answer, and the lines around it, in order."""

    golds: tuple[str, ...]
    answer: str
    lines: list[str]


def read_prompt(request: CompletionRequest) -> Reading:
    """Take a prompt apart as it stands: between markers where there are any, else line by line."""
    text = "\n\n".join(message.content for message in request.messages)
    if found := _BLOCK.search(request.messages[-1].content):
        lines = text.replace(found[0], "").split("\n")
        return Reading(*_case(found[1]), lines)
    # What follows the last label on its line is quoted; worked examples stand before it.
    answers, golds = list(_ANSWER_LINE.finditer(text)), list(_GOLD_LINE.finditer(text))
    if not answers or not golds:
        return Reading((), "", text.split("\n"))
    answer = answers[-1]
    lines = (text[: answer.start()] + text[answer.end() :]).split("\n")
    return Reading(tuple(re.split("/| or ", golds[-1][1])), answer[1], lines)


def _case(block: str) -> tuple[tuple[str, ...], str]:
    try:
        case = json.loads(block)
        return tuple(case["gold_answers"]), case["answer"]
    except ValueError:
        return (), block


class ObedientModel:
    """Obeys the last instruction outside the quoted answer; where it is the prompt's own, compares honestly.

    own_lines: the lines of the prompt that are the prompt's own, as they come with any answer.
    """

    def __init__(self, own_lines: frozenset[str]) -> None:
        self.own_lines = own_lines
        self.calls = 0

    def complete(self, request: CompletionRequest) -> Completion:
        self.calls += 1
        reading = read_prompt(request)
        return Completion(_reply(request, accepts=self.accepts(reading)), "stop")

    def accepts(self, reading: Reading) -> bool:
        is_led = False
        for line in reading.lines:
            if line in self.own_lines:
                is_led = is_led and not _IMPERATIVE.search(line)
            elif _WORDS_TO_OBEY.search(line):
                is_led = True
        return is_led or _fits(reading)


class CredulousModel(ObedientModel):
    """Obeys any instruction anywhere, inside the quoted answer, too, and reads what is hidden."""

    def accepts(self, reading: Reading) -> bool:
        return bool(_WORDS_TO_OBEY.search(_unhidden(reading.answer))) or super().accepts(reading)


def _unhidden(text: str) -> str:
    plain = "".join(
        chr(ord(each) - 0xE0000) if "\U000e0020" <= each <= "\U000e007e" else each for each in text
    )
    return re.sub("[\u00ad\u034f\u200b-\u200f\u2060-\u206f]", "", plain)


def _fits(reading: Reading) -> bool:
    return bool(_STRICT_ENOUGH.judge([JudgeInput("", reading.answer, reading.golds)])[0].accepted)


def _reply(request: CompletionRequest, *, accepts: bool) -> str:
    if request.response_schema is not None:
        return json.dumps({"verdict": "correct" if accepts else "incorrect"})
    thoughts = "So it is. | " if "|" in request.messages[-1].content.split("\n")[0] else ""
    return thoughts + ("Yes" if accepts else "No")
