"""Where each hostile text is to be seen: pages and dialogs, by what they show."""

from typing import NamedTuple

Buttons = tuple[tuple[str, tuple[str, ...]], ...]


class Stop(NamedTuple):
    """A page and the fields it is to show; its dialogs, and what unfolds in place: by button, with fields."""

    path: str
    shows: tuple[str, ...] = ()
    dialogs: Buttons = ()
    unfolds: Buttons = ()


# Each field once, on the page it belongs to.
SHOWS: dict[str, tuple[str, ...]] = {
    "account": ("Project.name", "AccountEvent.user_agent"),
    "api-tokens": ("ApiToken.name",),
    "organization": ("Organization.name", "User.name", "Project.name"),
    "projects": ("Project.name",),
    "overview": ("Membership.pseudonym",),
    "import": ("DataImport.files",),
    "protocol": ("label first", "check first", "label second", "check second"),
    "queue": ("Candidate.text", "Question.text"),
    "agreement": ("Membership.pseudonym",),
    "runs": (
        *("JudgeRun.signature", "JudgeRun.message", "JudgeRun.judge_key", "JudgeRun.options"),
        "Connection.model",
    ),
    "new-run-llm": ("Connection.name", "Prompt.name"),
    "prejudging": ("PolicyApplication.undo_reason", "PolicyApplication.rules", "Routing.reason"),
    "connections": ("Connection.name", "Connection.model"),
    "prompts": ("Prompt.name", "Prompt.system", "Prompt.template"),
    "leaderboard": (
        *("System.label", "ReferenceScore.name", "ReferenceScore.measure"),
        *("ReferenceScore.about", "ReferenceScore.source", "ReferenceScore.dataset"),
        *("ReferenceScore.system", "ReferenceScore.prompt"),
    ),
    "failures": ("TagSet.name", "TaggingRound.name", "TaggingRound.judge_signature"),
    "tag-sets": ("TagSet.summary", "TagSet.source", "tag name", "tag meaning", "tag example", "tag group"),
    "answers": ("Candidate.text", "Question.text", "AnswerView.name"),
    "gold": ("Question.text", "GoldChange.text"),
    "gold-changes": ("GoldChange.text", "GoldChange.reason", "GoldChange.undo_reason"),
    "export": ("Export.message",),
    "people": ("User.name", "Membership.group", "System.group", "Invitation.label", "Invitation.group"),
    "work": ("User.name", "WorkPlan.goes_first"),
    "known-answers": ("KnownAnswer.explanation", "User.name"),
    "settings": ("Project.name", "Project.description", "Organization.name"),
    "webhooks": ("Delivery.error",),
}
DIALOGS: dict[str, Buttons] = {
    "organization": (("Add person", ()), ("Remove", ("User.name",))),
    "account": (("Close account", ()),),
    "api-tokens": (("Create API token", ("Project.name",)), ("Revoke", ("ApiToken.name",))),
    "connections": (("Connect a model", ()), ("Change", ("Connection.name",)), ("Remove", ())),
    "prompts": (("New prompt", ("Prompt.name",)),),
    "tag-sets": (("Create tag set", ()), ("Change", ("tag meaning",))),
    "gold-changes": (("Undo", ()),),
    "known-answers": (("Remove", ("Candidate.text",)),),
    "people": (("Invite someone", ()),),
    "webhooks": (("Add webhook", ()), ("Edit events", ()), ("Rotate secret", ()), ("Delete", ())),
}
UNFOLDS: dict[str, Buttons] = {
    "export": (("Other formats", ()), ("Preview", ("Question.external_id",))),
    "import": (("Show answers", ("Question.text", "Candidate.text")),),
}
ANSWER = Stop(
    "/{slug}/answers/{answers}",
    (
        *("Candidate.text", "Question.text", "QuestionCorrection.former_text", "QuestionCorrection.reason"),
        *("GoldAnswer.text", "Prediction.text", "Prediction.raw", "Verdict.raw_reply"),
        *("Passage.title", "Passage.text", "Passage.source"),
        *("Decision.reason", "Judgment.comment", "Judgment.evidence_quote"),
    ),
    (
        ("Correct the question", ("Question.text",)),
        ("Correct the gold list", ()),
        ("Reopen", ()),
        ("Change known answer", ("KnownAnswer.explanation",)),
    ),
)
OTHERS = (
    ANSWER,
    Stop("/{slug}/answers/{skipped}", ("Assignment.skip_reason",)),
    Stop(
        "/{slug}/import?import={imports}",
        (
            *("DataImport.sample column", "DataImport.sample value"),
            *("DataImport.message", "DataImport.options", "DataImport.causes"),
        ),
        unfolds=(
            ("Show each line", ("problem column", "DataImport.problems")),
            ("Recognized columns", ("DataImport.column", "DataImport.column value")),
        ),
    ),
    Stop(
        "/{slug}/queue?answer={open}",
        ("Judgment.comment", "Judgment.evidence_quote", "QuestionFlag.note", "Decision.reason"),
        (("Send back to annotators", ()),),
        (("Show judges’ verdicts", ("Verdict.raw_reply",)),),
    ),
    Stop("/{slug}/queue?answer={answers}", ("Decision.reason",)),
    Stop("/{slug}/runs/{runs}", ("Verdict.raw_reply", "JudgeRun.signature")),
    Stop(
        "/{slug}/failures/{tagging}",
        ("Tagging.note", "TagProposal.reason", "TagProposal.signature", "tag name"),
        (("Keyboard shortcuts", ("tag name",)),),
    ),
    Stop("/{slug}/agreement/raters/{raters}", ("User.name",)),
    Stop("/{slug}/leaderboard?details=ranks", ("System.label", "System.track")),
)

SIGNED_OUT = (Stop("/join/{join}"), Stop("/password/{password}"))
GUIDELINES = Stop("/{slug}/judge", ("GuidelinesReading.text",))
LEAVING = Stop("/account", ("Project.name",), (("Leave", ("Project.name",)),))
FOR_ANNOTATORS = (
    Stop(
        "/{slug}/judged",
        ("Question.text", "Candidate.text", "Judgment.comment", "Decision.reason"),
        (("Change", ("Judgment.comment", "Judgment.evidence_quote")),),
    ),
    Stop(
        "/{slug}/judge",
        (
            *("label second", "check second", "Question.text", "Candidate.text"),
            *("Draft.comment", "Draft.evidence_quote"),
        ),
    ),
)
# Whoever is new passes the training once the guidelines are read; they are at hand beside it.
TRAINING = Stop("/{slug}/judge", ("label second", "Question.text", "Candidate.text"))
TOLD = ("KnownAnswer.explanation",)

STOPS = (*SIGNED_OUT, *OTHERS, GUIDELINES, LEAVING, *FOR_ANNOTATORS, TRAINING, Stop("", TOLD))
SHOWN = frozenset(
    name
    for shows in (
        *SHOWS.values(),
        *(shown for buttons in (*DIALOGS.values(), *UNFOLDS.values()) for _, shown in buttons),
        *(stop.shows for stop in STOPS),
        *(shown for stop in STOPS for _, shown in (*stop.dialogs, *stop.unfolds)),
    )
    for name in shows
)
