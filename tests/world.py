"""A project with one of everything, whose hidden facts are words that must never reach an annotator."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from annotation.accounts.models import User
from annotation.accounts.tokens.issuing import create_token
from annotation.adjudication.services.deciding import decide_answer
from annotation.assignments.services.handing_out import flag_question, hand_out
from annotation.gold.models import GoldChange
from annotation.items.models import (
    Candidate,
    DataImport,
    Passage,
    Prediction,
    RetrievedPassage,
    System,
)
from annotation.judgments.models import Judgment
from annotation.judgments.services.submitting import submit_sheet
from annotation.known_answers.services import mark_known
from annotation.projects.models import Membership, Project
from annotation.projects.services.members import invite
from annotation.projects.services.organizations import add_organization_member, create_organization
from annotation.release.models import Export
from common.clock import now
from common.identifiers import new_public_id
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
from judges.prompts.models import Prompt
from judges.runs.models import JudgeRun, RunBatch, Verdict
from judges.tagging.models import RoundTagger, TaggedItem, Tagging, TaggingRound
from judges.tagging.services import save_tag_set
from judges.webhooks.models import Delivery, Webhook
from tests.annotation.assignments.factories import (
    given_for,
    judge_next,
    make_import,
    make_question,
    make_source,
    new_key,
    no_to_all,
)
from tests.factories import make_member, make_project, make_user, read_what_is_new

HIDDEN = "CANARY"


@dataclass
class World:
    """The project, its cast by role, and the public id of one thing of each kind."""

    project: Project
    cast: dict[str, Membership]
    ids: dict[str, str]


def make_world(*, slug: str, **project_fields: Any) -> World:
    """Make a project where annotators are at work and everything they must not see is a canary."""
    project = make_project(
        lead=make_user(username=f"lead-{slug}", name=f"{HIDDEN} lead"), slug=slug, **project_fields
    )
    cast = {
        "lead": project.members.get(),
        "adjudicator": make_member(project=project, role="adjudicator", username=f"adjudicator-{slug}"),
        "viewer": make_member(project=project, role="viewer", username=f"viewer-{slug}"),
        "annotator": read_what_is_new(make_member(project=project, username=f"annotator-{slug}")),
        "colleague": make_member(project=project, username=f"{HIDDEN}-colleague-{slug}"),
    }
    candidates = _items(project)
    _colleagues_votes(cast["colleague"])
    decided = candidates[0]
    decide_answer(
        project=project,
        candidate_id=decided.public_id,
        by=project.created_by,
        label="incorrect",
        reason=f"{HIDDEN} reason",
    )
    judged = judge_next(cast["annotator"])
    (sheet,) = hand_out(rater=cast["annotator"])
    tagged = _tagged(project, decided)
    run = _prejudged_by(_run(project, candidates), candidates[-1])
    ids = {
        "members": cast["colleague"].public_id,
        "raters": cast["colleague"].public_id,
        "invitations": invite(project=project, by=project.created_by, role="annotator").invitation.public_id,
        "imports": candidates[0].data_import.public_id,
        "systems": System.objects.filter(project=project).order_by("pk")[0].public_id,
        "sheets": sheet.public_id,
        "judged": judged.public_id,
        "queue": candidates[-1].public_id,
        "answers": candidates[0].public_id,
        "questions": candidates[0].question.public_id,
        "gold": (change := _gold_change(candidates[0])).public_id,
        "groups": change.group,
        "runs": run.public_id,
        "judge-board": run.public_id,
        "routing": Routing.objects.get(project=project).public_id,
        "reference-scores": _reference(project).public_id,
        "exports": _export(project).public_id,
        "answer-views": _answer_view(project).public_id,
        "connections": _connection(project).public_id,
        "webhooks": (delivery := _delivery(project)).webhook.public_id,
        "deliveries": delivery.public_id,
        "prompts": _prompt(project).public_id,
        "tag-sets": tagged.round.tag_set.key,
        "tagging": tagged.round.public_id,
        "items": tagged.public_id,
        "known-answers": _known(decided, by=project.created_by),
        "tokens": create_token(
            user=project.created_by, name=HIDDEN, scope="read", days=1, project=project.slug
        ).token.public_id,
        "trainees": cast["colleague"].public_id,
        **_organization(project, viewer=cast["viewer"].user),
        "help": "guide",
        "pictures": "leaderboard.png",
    }
    return World(project=project, cast=cast, ids=ids)


def _organization(project: Project, *, viewer: User) -> dict[str, str]:
    """Let the project be in an organization of its lead, in which the viewer is, too."""
    slug = f"lab-{project.slug}"
    made = create_organization(slug=slug, owner=project.created_by, name=f"{HIDDEN} lab")
    Project.objects.filter(pk=project.pk).update(organization=made)
    project.organization = made
    member = add_organization_member(organization=made, username=viewer.username, role="member")
    return {"organizations": slug, "people": member.public_id}


def _known(candidate: Candidate, *, by: User) -> str:
    """Let the lead have said what the label of a decided answer is."""
    return mark_known(
        project=candidate.project,
        candidate=candidate,
        by=by,
        use="hidden",
        label="incorrect",
        explanation=f"{HIDDEN} explanation",
    ).public_id


def _items(project: Project) -> list[Candidate]:
    data_import = make_import(project=project)
    DataImport.objects.filter(pk=data_import.pk).update(
        files=[{"name": f"{HIDDEN}.jsonl", "size": 1, "path": "", "sha256": ""}], message=HIDDEN
    )
    for _ in range(4):
        make_question(project=project, answers=3, data_import=data_import)
    project.questions.update(dataset=HIDDEN, tags=[HIDDEN], external_id=HIDDEN)
    candidates = list(Candidate.objects.filter(project=project).order_by("pk"))
    for place, candidate in enumerate(candidates):
        make_source(candidate=candidate, system=f"{HIDDEN}-system-{place % 3}", gold=f"{HIDDEN} gold {place}")
    System.objects.filter(project=project).update(description={"track": HIDDEN}, group=HIDDEN)
    Prediction.objects.filter(system__project=project).update(metadata={"note": HIDDEN}, raw=[HIDDEN])
    _passages(project, data_import)
    return candidates


def _passages(project: Project, data_import: DataImport) -> None:
    """Let each question have a passage, and each prediction one that its system retrieved."""
    for prediction in Prediction.objects.filter(system__project=project).order_by("pk"):
        _, retrieved = (
            Passage.objects.get_or_create(
                question=prediction.question,
                is_given=is_given,
                text_hash=f"{prediction.question_id} {is_given}",
                defaults={
                    "data_import": data_import,
                    "text": f"{HIDDEN} passage {'given' if is_given else 'retrieved'}",
                    "title": HIDDEN,
                    "source": f"https://{HIDDEN}.test/passage",
                    "is_gold": is_given,
                    "position": int(is_given),
                },
            )[0]
            for is_given in (True, False)
        )
        RetrievedPassage.objects.create(
            prediction=prediction, passage=retrieved, data_import=data_import, rank=1, score=0.5
        )


def _colleagues_votes(colleague: Membership) -> None:
    for label in ("correct", "incorrect"):
        (sheet,) = hand_out(rater=colleague)
        flag_question(rater=colleague, sheet_id=sheet.public_id, kind="unclear", note=f"{HIDDEN} note")
        submit_sheet(
            rater=colleague,
            sheet_id=sheet.public_id,
            submission_key=new_key(),
            answers=given_for(sheet, label),
            checks=no_to_all(sheet),
        )
    Judgment.objects.filter(rater=colleague).update(
        comment=f"{HIDDEN} comment", evidence_url=f"https://{HIDDEN}.test/", evidence_quote=HIDDEN
    )


def _gold_change(candidate: Candidate) -> GoldChange:
    GoldChange.objects.filter(question__project=candidate.project).update(reason=HIDDEN, rule=HIDDEN)
    return GoldChange.objects.create(
        question=candidate.question,
        action=GoldChange.Action.ADDED,
        text=f"{HIDDEN} added",
        text_hash=candidate.public_id,
        rule=HIDDEN,
        reason=HIDDEN,
        changed_at=now(),
        group=new_public_id(),
    )


def _run(project: Project, candidates: list[Candidate]) -> JudgeRun:
    run = JudgeRun.objects.create(
        project=project,
        judge_key="exact_match",
        stated=[["judge", "exact_match"]],
        signature=f"{HIDDEN} signature {project.slug}",
        signature_hash=f"{HIDDEN} {project.slug}",
        state=JudgeRun.State.FINISHED,
        message=HIDDEN,
        created_at=now(),
    )
    RunBatch.objects.create(
        run=run,
        number=1,
        candidate_ids=[],
        size=0,
        state=RunBatch.State.DONE,
        lease_expires_at=now() + timedelta(hours=1),
    )
    Verdict.objects.bulk_create(
        Verdict(
            run=run, candidate=candidate, accepted=True, score=0.123456, raw_reply=HIDDEN, judged_at=now()
        )
        for candidate in candidates
    )
    return run


def _prejudged_by(run: JudgeRun, audited: Candidate) -> JudgeRun:
    """Save and apply a policy that reads the run, and draw one answer for the audit."""
    rule = {"runs": [run.public_id], "condition": "any_accepts"}
    PrejudgingPolicy.objects.create(
        project=run.project, rules=[rule], audit_share=0.5, seed=1, saved_at=now()
    )
    application = PolicyApplication.objects.create(
        project=run.project,
        number=1,
        rules=[{**rule, "text": f"{HIDDEN} rule", "signatures": [run.signature]}],
        audit_share=0.5,
        seed=1,
        content_hash=HIDDEN,
        state=PolicyApplication.State.DONE,
        applied_at=now(),
        undo_reason=HIDDEN,
    )
    answer = PrejudgedAnswer.objects.create(
        application=application,
        candidate=audited,
        rule_number=1,
        label="correct",
        is_audited=True,
        audit_probability=0.5,
        settled_at=now(),
    )
    verdict = Verdict.objects.get(run=run, candidate=audited)
    PrejudgedVerdict.objects.create(
        answer=answer, verdict=verdict, run_public_id=run.public_id, accepted=True, score=verdict.score
    )
    _certify(run, rule, audited)
    _routed_by(run, audited)
    return run


def _routed_by(run: JudgeRun, candidate: Candidate) -> None:
    """Have had one rater and the run settle answers, and noted what the run says of one."""
    routing = Routing.objects.create(
        project=run.project,
        number=1,
        run_public_id=run.public_id,
        signature=run.signature,
        text=f"{HIDDEN} routing",
        threshold=0.9,
        audit_share=0.5,
        seed=1,
        state=Routing.State.OFF,
        started_at=now(),
        reason=HIDDEN,
    )
    RoutedAnswer.objects.create(
        routing=routing, candidate=candidate, label="correct", audit_probability=0.5, weighed_at=now()
    )


def _certify(run: JudgeRun, rule: dict[str, object], candidate: Candidate) -> None:
    """Draw an answer for people alone, and certify a rule that reads the run by it."""
    sample = CalibrationSample.objects.create(
        project=run.project,
        number=1,
        seed=1,
        population=1,
        probability=1.0,
        newest_answer=candidate.pk,
        systems=[HIDDEN],
        drawn_at=now(),
    )
    CalibrationAnswer.objects.create(sample=sample, candidate=candidate)
    Certificate.objects.create(
        sample=sample,
        number=1,
        rule=rule,
        by_score=False,
        text=f"{HIDDEN} certified",
        signatures={run.public_id: run.signature},
        alpha=0.05,
        delta=0.1,
        spent=0.05,
        threshold=1.0,
        words=f"{HIDDEN} words",
        labels=1,
        settled_labels=1,
        errors=0,
        upper=0.5,
        settled_share=1.0,
        needed=1,
        labels_hash=HIDDEN,
        content_hash=HIDDEN,
        made_at=now(),
    )


def _reference(project: Project) -> ReferenceScore:
    return ReferenceScore.objects.create(
        project=project,
        subject=ReferenceScore.Subject.SYSTEM,
        name=f"{HIDDEN} system",
        measure="exact_match",
        value=0.123456,
        about=HIDDEN,
        source=HIDDEN,
        added_by=project.created_by,
        added_at=now(),
    )


def _answer_view(project: Project) -> AnswerView:
    return AnswerView.objects.create(
        project=project,
        name=f"{HIDDEN} view",
        query={"search": HIDDEN},
        created_by=project.created_by,
        created_at=now(),
    )


def _delivery(project: Project) -> Delivery:
    """Let a message to a webhook have been given up."""
    webhook = Webhook.objects.create(
        project=project,
        number=1,
        url=f"https://{HIDDEN}.example/hook",
        events=["item.decided"],
        encrypted_secret=HIDDEN,
        created_by=project.created_by,
        created_at=now(),
    )
    return Delivery.objects.create(
        webhook=webhook,
        event="item.decided",
        body="{}",
        state=Delivery.State.GIVEN_UP,
        error=HIDDEN,
        next_try_at=now(),
        created_at=now(),
        finished_at=now(),
    )


def _export(project: Project) -> Export:
    return Export.objects.create(
        project=project,
        format="votes-csv",
        state=Export.State.FAILED,
        file_name=f"{HIDDEN}.csv",
        message=HIDDEN,
        created_by=project.created_by,
        created_at=now(),
        finished_at=now(),
    )


def _connection(project: Project) -> Connection:
    # An address that nobody may call, so that no test reaches anything.
    return Connection.objects.create(
        project=project,
        name=f"{HIDDEN} connection",
        base_url="https://127.0.0.1:9/v1",
        model=HIDDEN,
        key_last_four="",
        created_by=project.created_by,
        created_at=now(),
    )


def _prompt(project: Project) -> Prompt:
    return Prompt.objects.create(
        project=project,
        key=HIDDEN.lower(),
        name=f"{HIDDEN} prompt",
        version=1,
        template=f"{HIDDEN} {{question}} {{answer}}",
        parser=Prompt.Parser.STRICT,
        hash="0" * 64,
        created_by=project.created_by,
        created_at=now(),
    )


def _tagged(project: Project, candidate: Candidate) -> TaggedItem:
    """Let the lead have tagged an answer in a round about a set of the project's own."""
    tag_set = save_tag_set(
        project=project,
        by=project.created_by,
        key=f"own-{project.slug}",
        name=f"{HIDDEN} set",
        subject="answer",
        tags=[{"key": "secret", "name": f"{HIDDEN} tag", "meaning": HIDDEN}],
    )
    tagging_round = TaggingRound.objects.create(
        project=project,
        name=f"{HIDDEN} round",
        tag_set=tag_set,
        filter={},
        judge_signature=HIDDEN,
        seed=1,
        population=1,
        created_by=project.created_by,
        created_at=now(),
    )
    RoundTagger.objects.create(round=tagging_round, member=project.members.get(user=project.created_by))
    item = TaggedItem.objects.create(
        round=tagging_round, position=0, question=candidate.question, candidate=candidate
    )
    Tagging.objects.create(
        item=item,
        number=1,
        tags=["secret"],
        is_unattributable=True,
        note=f"{HIDDEN} note",
        tagged_by=project.created_by,
        tagged_at=now(),
    )
    return item
