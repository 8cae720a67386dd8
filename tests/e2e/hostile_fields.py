"""Every column that holds text: which of them the hostile study writes, and which nobody can write freely."""

from django.db.models import Model

from annotation.accounts.models import (
    AccountEvent,
    ApiToken,
    IdempotencyKey,
    Mailbox,
    OutgoingMail,
    PasswordRequest,
    ProviderIdentity,
    RecoveryCode,
    SecondFactor,
    SpentSignIn,
    User,
    WrongTries,
)
from annotation.adjudication.models import Decision
from annotation.assignments.models import Assignment, QuestionFlag, Sheet, WorkPlan
from annotation.gold.models import DismissedProposal, GoldChange
from annotation.items.models import (
    Candidate,
    DataImport,
    GoldAnswer,
    Passage,
    Prediction,
    Question,
    QuestionCorrection,
    System,
)
from annotation.judgments.models import CheckAnswer, Judgment, JudgmentRevision
from annotation.known_answers.models import KnownAnswer, TrainingAnswer
from annotation.projects.models import (
    Activity,
    GuidelinesReading,
    Invitation,
    Membership,
    Organization,
    Project,
    ProtocolVersion,
    Upkeep,
)
from annotation.release.models import Export
from judges.answers.models import AnswerView
from judges.comparison.models import ReferenceScore
from judges.connections.models import Connection
from judges.prejudging.models import (
    CalibrationSample,
    Certificate,
    PolicyApplication,
    PrejudgedAnswer,
    PrejudgedVerdict,
    PrejudgingPolicy,
    RoutedAnswer,
    Routing,
)
from judges.prompts.models import ExampleSet, Prompt
from judges.runs.models import Call, JudgeRun, MonthlySpend, RunBatch, Verdict
from judges.tagging.models import Tagging, TaggingRound, TagProposal, TagSet
from judges.webhooks.models import Delivery, Webhook

# Columns that hold what somebody, a file or a model wrote.
TEXTS: dict[type[Model], tuple[str, ...]] = {
    User: ("name",),
    ApiToken: ("name",),
    AccountEvent: ("user_agent",),
    Organization: ("name",),
    Project: ("name", "description"),
    Membership: ("pseudonym", "group"),
    GuidelinesReading: ("text",),
    Invitation: ("label", "group"),
    DataImport: ("message",),
    Question: ("key", "external_id", "text", "dataset"),
    QuestionCorrection: ("former_text", "reason"),
    Candidate: ("text", "group"),
    GoldAnswer: ("text",),
    Passage: ("title", "text", "source"),
    System: ("name", "label", "group"),
    Prediction: ("text",),
    KnownAnswer: ("explanation",),
    Decision: ("reason",),
    Assignment: ("skip_reason",),
    QuestionFlag: ("note",),
    GoldChange: ("text", "reason", "undo_reason"),
    Judgment: ("comment", "evidence_quote"),
    JudgmentRevision: ("comment", "evidence_quote"),
    Export: ("file_name", "message"),
    AnswerView: ("name",),
    Connection: ("name", "model"),
    JudgeRun: ("message", "signature"),
    RunBatch: ("error",),
    Call: ("model", "fingerprint", "finish_reason", "reply", "error"),
    Verdict: ("raw_reply",),
    PolicyApplication: ("undo_reason",),
    Routing: ("reason",),
    ReferenceScore: ("name", "measure", "about", "source", "dataset", "system", "prompt"),
    Prompt: ("name", "system", "template"),
    TagSet: ("name", "summary", "source"),
    TaggingRound: ("name", "judge_signature"),
    TagProposal: ("signature", "reason"),
    Tagging: ("note",),
    Delivery: ("error",),
}

# Columns with more in them than one text: what the study calls the texts it puts there. None where they have
# no name: an address begins like a script's, and what a page shows of guidelines is made of their Markdown.
STRUCTURES: dict[type[Model], dict[str, tuple[str, ...]]] = {
    Project: {"sample_options": ("Project.sample_options",)},
    ProtocolVersion: {"spec": ("label first", "label second", "check first", "check second")},
    WorkPlan: {"goes_first": ("WorkPlan.goes_first",)},
    DataImport: {
        "files": ("DataImport.files",),
        "sample": ("DataImport.sample column", "DataImport.sample value"),
        "columns": ("DataImport.column", "DataImport.column value"),
        "problems": ("DataImport.problems", "problem column"),
        "causes": ("DataImport.causes",),
        "options": ("DataImport.options",),
    },
    Question: {"tags": ("Question.tags",)},
    System: {"description": ("System.track",)},
    Prediction: {"raw": ("Prediction.raw",), "golds": ("Prediction.golds",), "metadata": ()},
    Sheet: {"draft": ("Draft.comment", "Draft.evidence_quote")},
    Judgment: {"evidence_url": ()},
    JudgmentRevision: {"evidence_url": ()},
    Connection: {"base_url": ()},
    ReferenceScore: {"source_url": ()},
    JudgeRun: {"judge_key": ("JudgeRun.judge_key",), "options": ("JudgeRun.options",)},
    PolicyApplication: {"rules": ("PolicyApplication.rules",)},
    TagSet: {"tags": ("tag name", "tag meaning", "tag example", "tag group")},
    Webhook: {"url": ()},
}

# What no page shows, and what it is for.
NOWHERE = {
    "Project.sample_options": "how the sample was drawn",
    "Question.key": "joins files",
    "Question.dataset": "filters, and exports",
    "Question.tags": "filters, and exports",
    "Candidate.group": "shares out the work",
    "System.name": "joins files; pages show the label",
    "Prediction.golds": "judging by a file's own gold answers",
    "JudgmentRevision.comment": "the record of changes; pages show the label before",
    "JudgmentRevision.evidence_quote": "the record of changes; pages show the label before",
    "Export.file_name": "names what is downloaded",
    "RunBatch.error": "the record of a run",
    "Call.model": "the record of a run; its page names it among those served",
    "Call.fingerprint": "the record of a run; its page names it among those served",
    "Call.finish_reason": "the record of a run",
    "Call.reply": "the record of a run; pages show the verdict's reply",
    "Call.error": "the record of a run; pages count them",
}

_OURS = "made by Assay"
_KEY = "one of Assay's own words, or of the protocol's keys, which are checked"
_NAME_IN_ADDRESSES = "letters, digits, hyphens and underscores"

EXEMPT: dict[type[Model], dict[str, str]] = {
    User: {
        "password": "a hash",
        "username": "letters, digits and @.+-_",
        "email": "no page, request or file asks for one",
        "language": "one of the languages there are",
    },
    ApiToken: {"secret_hash": "a hash"},
    AccountEvent: {"client": "an address as this server reads it"},
    Activity: {
        "operation": "a name of the API's schema",
        "place": "ids that this server made",
        "token_name": "a copy of ApiToken.name, which is hostile itself",
        "request_id": "letters, digits and ._-",
    },
    SecondFactor: {"sealed_secret": "encrypted"},
    ProviderIdentity: {
        "issuer": "the administrator's setting",
        "subject": "no page, request or file shows one",
    },
    RecoveryCode: {"code_hash": "a hash"},
    Mailbox: {
        "address": "an email address in ASCII, which is checked",
        "pending": "an email address in ASCII, which is checked",
        "pending_hash": "a hash",
        "language": "one of the languages there are",
    },
    OutgoingMail: {
        "about": _OURS,
        "recipient": "an email address in ASCII, which is checked",
        "language": "one of the languages there are",
        "facts": "roles and times",
        "sealed": "encrypted",
        "error": "goes to no page",
    },
    PasswordRequest: {"sealed": "encrypted"},
    SpentSignIn: {"state_hash": "a hash"},
    WrongTries: {"account": "a keyed hash", "client": "a keyed hash"},
    IdempotencyKey: {
        "name": "a hash",
        "fingerprint": "a keyed hash",
        "owner": _OURS,
        "sealed_reply": "encrypted",
    },
    Organization: {"slug": _NAME_IN_ADDRESSES},
    MonthlySpend: {"month": "a year and a month"},
    Project: {"slug": _NAME_IN_ADDRESSES},
    ProtocolVersion: {"content_hash": _OURS},
    Upkeep: {"due": "events and ids under Assay's own names"},
    Invitation: {"token_hash": _OURS},
    DataImport: {"format": _KEY, "counts": "numbers under Assay's own names"},
    Question: {"key_hash": _OURS},
    Passage: {"text_hash": _OURS},
    Candidate: {"pool_hash": _OURS, "text_of_row": "never sent to anybody"},
    KnownAnswer: {"label": _KEY},
    TrainingAnswer: {"label": _KEY},
    Sheet: {
        "submission_key": "never sent to anybody",
        "former_keys": "never sent to anybody",
        "outcome": "ids and Assay's own words",
    },
    Decision: {"label": _KEY, "rule": _KEY, "group": _OURS},
    GoldChange: {"text_hash": _OURS, "rule": _KEY, "group": _OURS},
    DismissedProposal: {"proposal_hash": _OURS},
    CalibrationSample: {"systems": "ids"},
    Certificate: {
        "content_hash": _OURS,
        "labels_hash": _OURS,
        "refusal": _KEY,
        "lapse": _KEY,
        "rule": "ids and Assay's own words",
        "before": "ids and Assay's own words",
        "curve": "numbers",
        "signatures": "as in JudgeRun.signature, which is hostile",
        "text": "a rule in words, with the names of judges, which are hostile in JudgeRun",
        "words": "Assay's own words and numbers",
    },
    Judgment: {"label": _KEY},
    JudgmentRevision: {"label": _KEY},
    CheckAnswer: {"check_key": _KEY},
    Export: {"format": _KEY, "options": "choices that are checked", "path": _OURS, "sha256": _OURS},
    AnswerView: {"query": "what the table is asked, which is checked"},
    Connection: {
        "parameters": "known names with checked values",
        "encrypted_key": "never sent to anybody",
        "key_last_four": "four characters",
    },
    Webhook: {
        "events": "known names",
        "encrypted_secret": "never sent to anybody",
        "former_secret": "never sent to anybody",
        "looked_at": "never sent to anybody",
        "off_reason": "Assay's own words",
        "owner": _OURS,
    },
    Delivery: {"event": _KEY, "body": "never sent to a page"},
    JudgeRun: {
        "gold_version": _KEY,
        "signature_hash": _OURS,
        "stated": "the parts of its signature, which is hostile",
        "only_system": "an id",
        "only_dataset": "one of the study's data sets",
    },
    RunBatch: {"candidate_ids": "ids", "owner": _OURS},
    Call: {"cache_key": _OURS, "owner": _OURS, "logprobs": "read by the judge, never sent to anybody"},
    Verdict: {"unscored_reason": _KEY, "flags": _KEY},
    PrejudgingPolicy: {"rules": "ids of runs and choices that are checked"},
    PolicyApplication: {"content_hash": _OURS},
    PrejudgedAnswer: {"label": _KEY},
    PrejudgedVerdict: {"run_public_id": _OURS},
    Routing: {
        "run_public_id": _OURS,
        "signature": "as in JudgeRun.signature, which is hostile",
        "text": "a rule in words, with the name of a judge, which is hostile in JudgeRun",
    },
    RoutedAnswer: {"label": _KEY, "first_label": _KEY},
    Prompt: {
        "key": _NAME_IN_ADDRESSES,
        "response_schema": "sent to the model and to nobody else",
        "hash": _OURS,
    },
    ExampleSet: {"hash": _OURS, "examples": "sent to the model and to nobody else"},
    TagSet: {"key": _NAME_IN_ADDRESSES, "content_hash": _OURS},
    TaggingRound: {"filter": "ids and choices that are checked"},
    TagProposal: {"tags": "keys of the set", "failure": _KEY},
    Tagging: {"tags": "keys of the set"},
}
