"""What a bundle holds, table by table and field by field, and what stays on the server, and why."""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from django.db.models import Field, Model, Q

from annotation.accounts.models import ApiToken, OutgoingMail, User
from annotation.adjudication.models import Decision
from annotation.assignments.models import (
    Assignment,
    Pilot,
    PilotQuestion,
    PlannedRater,
    PriorityQuestion,
    QuestionFlag,
    Sheet,
    WorkEvent,
    WorkPlan,
)
from annotation.gold.models import DismissedProposal, GoldChange
from annotation.items.models import (
    Candidate,
    DataImport,
    GoldAnswer,
    Passage,
    Prediction,
    Question,
    QuestionCorrection,
    RetrievedPassage,
    System,
)
from annotation.judgments.models import CheckAnswer, Judgment, JudgmentRevision
from annotation.known_answers.models import (
    KnownAnswer,
    QualityPlan,
    TrainingAnswer,
    TrainingAttempt,
    TrainingPass,
)
from annotation.projects.models import (
    Activity,
    Change,
    GuidelinesReading,
    Invitation,
    Membership,
    Project,
    ProtocolVersion,
    Upkeep,
)
from annotation.release.models import Export
from judges.answers.models import AnswerView
from judges.comparison.models import ReferenceScore
from judges.connections.models import Connection
from judges.prejudging.models import (
    CalibrationAnswer,
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
from judges.runs.models import Call, JudgeRun, RunBatch, Verdict
from judges.tagging.models import RoundTagger, TaggedItem, Tagging, TaggingRound, TagProposal, TagSet
from judges.webhooks.models import Delivery, Webhook

# Of an import that is over; any other is of files that are not part of the study, or not yet.
LASTING_STATES = (DataImport.State.APPLIED, DataImport.State.UNDONE, DataImport.State.FAILED)


class Part(NamedTuple):
    """A table of a bundle: its file's name, its fields by name, and those that are left out, each with why.

    only: which rows leave. named: fields in which public ids of other rows may stand.
    """

    model: type[Model]
    name: str
    fields: tuple[str, ...]
    left_out: Mapping[str, str] = {}
    only: Q = Q()
    named: tuple[str, ...] = ()

    @property
    def file_name(self) -> str:
        """The part's name in the bundle."""
        return f"{self.name}.jsonl"

    @property
    def path(self) -> str:
        """The lookup that leads from the model to its project."""
        return path_to_project(self.model)

    @property
    def columns(self) -> "list[Field[object, object]]":
        """The fields as Django has them."""
        return [_field(self.model, name) for name in self.fields]

    @property
    def has_public_ids(self) -> bool:
        """Whether its rows have public ids."""
        return "public_id" in self.fields


def _field(model: type[Model], name: str) -> "Field[object, object]":
    field = model._meta.get_field(name)
    assert isinstance(field, Field)
    return field


def _part(model: type[Model], name: str, fields: str, *, named: str = "", **rest: object) -> Part:
    return Part(model, name, tuple(fields.split()), named=tuple(named.split()), **rest)  # type: ignore[arg-type]


PEOPLE = _part(
    User,
    "people",
    "name username is_imported",
    left_out={
        "password": "a secret",
        "email": "belongs to the account, not to the project",
        "public_id": "names an account on this server",
        "is_active": "restored people cannot sign in until an administrator connects them with an account",
        "is_staff": "each server decides what an account may do",
        "is_superuser": "each server decides what an account may do",
        "creates_projects": "each server decides what an account may do",
        "language": "belongs to the account, not to the project",
        "session_endings": "belongs to the account, not to the project",
        "last_login": "belongs to the account, not to the project",
        "date_joined": "belongs to the account, not to the project",
    },
)

# Each part after all that its rows point to; a restore makes them in this order.
PARTS: tuple[Part, ...] = (
    _part(
        Project,
        "project",
        "slug name description state archived_at pooling cleaning seed sample_method sample_options protocol "
        "starts_with_one hands_out_first_only has_routes created_by created_at",
        named="sample_options",
        left_out={
            "deleted_at": "a deleted project is not exported",
            "organization": "belongs to this server, whose administrator sets its limits",
        },
    ),
    _part(ProtocolVersion, "protocol-versions", "number spec content_hash created_at frozen_at"),
    _part(
        Membership,
        "members",
        "public_id user role state pseudonym group unblinded_at joined_at",
    ),
    _part(GuidelinesReading, "guidelines-readings", "member version text read_at"),
    _part(
        DataImport,
        "imports",
        "public_id state format options files counts sample columns problems causes problem_count rows_total "
        "rows_done message created_by created_at applied_at undone_at",
        only=Q(state__in=LASTING_STATES),
        left_out={"lease_expires_at": "says which process on this server is at work"},
    ),
    _part(
        Question,
        "questions",
        "public_id data_import key key_hash external_id text dataset tags reference_count position in_sample "
        "sample_stratum sample_probability is_left_out corrected_at",
    ),
    _part(
        QuestionCorrection,
        "question-corrections",
        "question number former_text reason corrected_by corrected_at",
    ),
    _part(GoldAnswer, "gold-answers", "question data_import kind text position"),
    _part(
        Passage,
        "passages",
        "question data_import is_given text text_hash title source is_gold position",
    ),
    _part(System, "systems", "public_id data_import name label group description"),
    _part(
        Candidate,
        "answers",
        "public_id question data_import text text_of_row pool_hash group duplicate position is_judgeable "
        "from_gold state wanted taken least_votes goes_first",
    ),
    _part(
        Prediction,
        "predictions",
        "system question candidate data_import text raw golds confidence metadata",
    ),
    _part(RetrievedPassage, "retrieved-passages", "prediction passage data_import rank score"),
    _part(WorkPlan, "work-plan", "sharing order goes_first saved_at", named="goes_first"),
    _part(
        PlannedRater,
        "planned-raters",
        "rater takes_part stand_in first_question last_question share piece_start piece_length "
        "answers_at_most questions_at_most",
    ),
    _part(PriorityQuestion, "priority-questions", "question place"),
    _part(WorkEvent, "work-events", "kind rater by at sheets answers"),
    _part(Pilot, "pilots", "public_id seed begun_by begun_at ended_by ended_at outcome"),
    _part(PilotQuestion, "pilot-questions", "pilot question"),
    _part(
        QualityPlan,
        "quality-plan",
        "known_share repeat_share repeat_distance repeat_hours second_share is_training pass_share "
        "least_answers saved_at",
    ),
    _part(
        KnownAnswer,
        "known-answers",
        "public_id candidate use label explanation marked_by marked_at withdrawn_at",
    ),
    _part(TrainingAttempt, "training-attempts", "rater number started_at finished_at"),
    _part(TrainingAnswer, "training-answers", "attempt known label is_right answered_at"),
    _part(TrainingPass, "training-passes", "rater passed_at let_through_by"),
    _part(
        Sheet,
        "sheets",
        "public_id question rater protocol_version state purpose asks_again version handed_out_at "
        "lease_expires_at closed_at submission_key former_keys outcome draft seconds settling_due "
        "waiting_after waiting_counted_at goes_first",
        named="draft",
    ),
    _part(Assignment, "assignments", "sheet candidate rater slot round state purpose skip_reason position"),
    _part(QuestionFlag, "question-flags", "question rater kind note flagged_at"),
    _part(
        Judgment,
        "judgments",
        "public_id assignment candidate rater slot round state purpose label comment evidence_url "
        "evidence_quote judged_at",
    ),
    _part(
        JudgmentRevision,
        "judgment-revisions",
        "judgment number action state label comment evidence_url evidence_quote seconds protocol_version at",
    ),
    _part(CheckAnswer, "check-answers", "sheet question rater check_key round answer purpose answered_at"),
    _part(
        Decision,
        "decisions",
        "public_id candidate number is_current label is_reopening source rule reason category "
        "is_reason_shown group decided_by decided_at",
    ),
    _part(
        GoldChange,
        "gold-changes",
        "public_id question action text kind text_hash rule reason decision changed_by changed_at undone_at "
        "undone_by undo_reason group",
    ),
    _part(DismissedProposal, "dismissed-proposals", "question proposal_hash dismissed_by dismissed_at"),
    _part(
        Connection,
        "connections",
        "public_id name api base_url endpoint model parameters input_price output_price "
        "requests_per_minute parallel_calls timeout_seconds spend_cap spent reserved archived_at created_by "
        "created_at",
        left_out={
            "encrypted_key": "a secret",
            "key_last_four": "part of a secret",
            "rests_until": "says when this server may call again",
            "next_call_at": "says when this server may call again",
        },
    ),
    _part(
        Prompt,
        "prompts",
        "public_id key name version system template parser response_schema hash created_by created_at",
    ),
    _part(ExampleSet, "example-sets", "hash examples created_at"),
    _part(
        JudgeRun,
        "runs",
        "public_id purpose data_import connection judge_key options gold_version stated signature "
        "signature_hash state message spend_cap spent reserved sample_size sample_seed only_judged "
        "only_dataset only_system follows created_by created_at started_at finished_at",
        named="options stated signature only_system",
        left_out={"planning_until": "says which process on this server is at work"},
    ),
    _part(
        RunBatch,
        "run-batches",
        "run number candidate_ids size state attempt waits refusals not_before error finished_at",
        left_out={
            "owner": "says which process on this server is at work",
            "lease_expires_at": "says which process on this server is at work",
        },
    ),
    _part(
        Call,
        "calls",
        "run connection candidate repeat cache_key owner state reserved cost input_tokens output_tokens "
        "cached_tokens seconds model fingerprint finish_reason reply logprobs is_cache_hit is_counted error "
        "created_at settled_at",
        left_out={"charged_to": "belongs to an organization of this server"},
    ),
    _part(
        Verdict,
        "verdicts",
        "run candidate accepted score unscored_reason raw_reply flags judged_at",
    ),
    _part(PrejudgingPolicy, "prejudging-policy", "rules audit_share seed saved_by saved_at", named="rules"),
    _part(
        CalibrationSample,
        "calibration-samples",
        "public_id number seed population probability newest_answer systems drawn_by drawn_at closed_at "
        "closed_by",
        named="systems",
    ),
    _part(CalibrationAnswer, "calibration-answers", "sample candidate"),
    _part(
        Certificate,
        "certificates",
        "public_id sample number rule before by_score text signatures alpha delta spent threshold refusal "
        "words labels settled_labels errors upper settled_share needed curve labels_hash content_hash "
        "made_by made_at lapse lapsed_at",
        named="rule before text signatures words",
    ),
    _part(
        PolicyApplication,
        "policy-applications",
        "public_id number rules audit_share seed content_hash state undoing_rule applied_by applied_at "
        "finished_at undone_by undo_reason undone_at",
        named="rules",
    ),
    _part(
        PrejudgedAnswer,
        "prejudged-answers",
        "application candidate rule_number label is_audited audit_probability decision settled_at undone_at",
    ),
    _part(
        PrejudgedVerdict,
        "prejudged-verdicts",
        "answer verdict run_public_id accepted score",
        named="run_public_id",
    ),
    _part(
        Routing,
        "routings",
        "public_id number run_public_id signature text threshold audit_share seed state started_by "
        "started_at ended_by ended_at reason",
        named="run_public_id signature text",
    ),
    _part(
        RoutedAnswer,
        "routed-answers",
        "routing candidate label confidence is_drawn audit_probability first_label weighed_at",
    ),
    _part(
        TagSet,
        "tag-sets",
        "public_id key version name summary source subject several tags content_hash created_by created_at",
    ),
    _part(
        TaggingRound,
        "tagging-rounds",
        "public_id name tag_set filter run judge_signature size seed population proposals proposer_run "
        "created_by created_at",
        named="filter judge_signature",
    ),
    _part(RoundTagger, "round-taggers", "round member"),
    _part(TaggedItem, "tagged-items", "public_id round position question candidate verdict accepted"),
    _part(TagProposal, "tag-proposals", "item signature tags reason failure proposed_at", named="signature"),
    _part(
        Tagging,
        "taggings",
        "item number is_current is_withdrawal tags is_unattributable note tagged_by tagged_at",
    ),
    _part(
        ReferenceScore,
        "reference-scores",
        "public_id subject name measure value n about dataset system prompt source source_url added_by "
        "added_at removed_by removed_at",
    ),
    _part(AnswerView, "answer-views", "public_id name query created_by created_at", named="query"),
)

LEFT_OUT: Mapping[type[Model], str] = {
    ApiToken: "a secret that belongs to a person, not to the project",
    Activity: "who changed what on this server",
    Invitation: "a secret: a link that gives somebody access to this server",
    Export: "a file on this server that can be created again",
    Upkeep: "empty: a project with work left is not exported",
    Webhook: "a secret, and an address that receives messages only from this server",
    OutgoingMail: "what this server has sent or will send",
    Delivery: "what this server has sent or will send",
    Change: "counts changes on this server; the database counts them itself",
}

ALL_PARTS = (PEOPLE, *PARTS)
PART_OF: Mapping[type[Model], Part] = {part.model: part for part in ALL_PARTS}


@cache
def path_to_project(model: type[Model]) -> str:
    """Return the shortest lookup that leads from a model to its project; the empty one of none."""
    if model is Project:
        return "pk"
    paths = [
        f"{field.name}__{path}" if path != "pk" else field.name
        for field in model._meta.concrete_fields
        if field.is_relation and not field.null and isinstance(field.related_model, type)
        for path in [path_to_project(field.related_model)]
        if path
    ]
    return min(paths, key=lambda path: path.count("__"), default="")
