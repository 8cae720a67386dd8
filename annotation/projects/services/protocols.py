"""Put protocols in force, and note who has read their guidelines."""

from datetime import datetime
from typing import Any

from django.db import transaction

from annotation.projects.events import GuidelinesRead, ProtocolChanged
from annotation.projects.models import GuidelinesReading, Membership, Project, ProtocolVersion
from annotation.projects.rules import Credit, Label, Protocol, ProtocolError, problems_of_texts
from annotation.projects.selectors import guidelines_for
from annotation.projects.services.upkeep import ask_upkeep, do_upkeep
from common.clock import now
from common.errors import Conflict, Invalid
from common.events import publish


class UnusableProtocol(Invalid):
    """The protocol contradicts itself or lacks something."""


class ProtocolChangedMeanwhile(Conflict):
    """Somebody put another protocol in force since this one was begun."""


def set_protocol(*, project: Project, spec: dict[str, Any], seen_hash: str = "") -> ProtocolVersion:
    """Make `spec` the project's protocol: in place until work starts, as a new version afterwards.

    It is in force at once. Work done so far is then brought in line by subscribers of `ProtocolChanged`,
    in chunks, and by the sweeper where this process dies over it. The protocol in force again changes
    nothing. `seen_hash`: of the version that was adapted, where known. Raises `UnusableProtocol`,
    `ProtocolChangedMeanwhile`.
    """
    protocol = read_protocol(project=project, spec=spec)
    version = _put_in_force(project=project, protocol=protocol, seen_hash=seen_hash)
    do_upkeep(project_id=project.pk)
    return version


@transaction.atomic
def _put_in_force(*, project: Project, protocol: Protocol, seen_hash: str) -> ProtocolVersion:
    # Two leads who save at once take turns.
    Project.objects.locked(project.pk)
    current = ProtocolVersion.objects.filter(current_project=project).first()
    if current is not None and seen_hash not in ("", current.content_hash):
        raise ProtocolChangedMeanwhile("Somebody changed the protocol in the meantime. Reload the page.")
    if current is not None and current.rules == protocol:
        project.protocol = current
        return current
    changed = ProtocolVersion.objects.filter(current_project=project, frozen_at=None).update(
        spec=protocol.to_spec(), content_hash=protocol.content_hash
    )
    if changed:
        project.protocol = ProtocolVersion.objects.get(current_project=project)
    else:
        _add_version(project=project, protocol=protocol)
    # Nothing was done yet under none.
    if current is not None:
        ask_upkeep(ProtocolChanged(project_id=project.pk))
    assert project.protocol is not None
    return project.protocol


def read_protocol(*, project: Project, spec: dict[str, Any]) -> Protocol:
    """Return the protocol a project could be given; raises `UnusableProtocol` by field."""
    try:
        protocol = Protocol.from_spec(spec)
    except ProtocolError as error:
        raise UnusableProtocol(error.message, details={"fields": error.fields}) from None
    if fields := problems_of_texts(protocol):
        raise UnusableProtocol(next(iter(fields.values()))[0], details={"fields": fields})
    _require_labels_in_use(project=project, protocol=protocol)
    _require_pooling_in_use(project=project, protocol=protocol)
    return protocol


def _require_labels_in_use(*, project: Project, protocol: Protocol) -> None:
    """Refuse to drop a label under which work was handed out: votes with it must stay readable."""
    for version in project.protocol_versions.exclude(frozen_at=None).order_by("number"):
        for label in version.rules.labels:
            message = _why_label_stays(label, protocol.label(label.key))
            if message:
                raise _unusable("labels", message)


def _why_label_stays(label: Label, after: Label | None) -> str:
    if after is None:
        return f"Annotators have used the label “{label.name},” so you cannot remove it."
    if Credit.MISSING in (label.credit, after.credit) and label.credit is not after.credit:
        return (
            f"Annotators have used the label “{label.name}.” You cannot change whether it counts as a vote."
        )
    return ""


def _require_pooling_in_use(*, project: Project, protocol: Protocol) -> None:
    if project.protocol is None or project.protocol.rules.pool_within_groups == protocol.pool_within_groups:
        return
    if Project.objects.filter(pk=project.pk, candidates__isnull=False).exists():
        message = (
            "This project’s answers have already been pooled. Undo their imports first, or create a new "
            "project."
        )
        raise _unusable("pool_within_groups", message)


def _unusable(field: str, message: str) -> UnusableProtocol:
    return UnusableProtocol(message, details={"fields": {field: [message]}})


def _add_version(*, project: Project, protocol: Protocol) -> None:
    project.protocol = ProtocolVersion.objects.create(
        project=project,
        number=project.protocol_versions.count() + 1,
        spec=protocol.to_spec(),
        content_hash=protocol.content_hash,
        created_at=now(),
    )
    project.save(update_fields=["protocol"])


class GuidelinesChanged(Conflict):
    """The guidelines were changed since the member was shown them."""


@transaction.atomic
def read_guidelines(*, member: Membership, seen_hash: str, at: datetime | None = None) -> None:
    """Note that a member has read the guidelines in force; saying it again changes nothing.

    What the member has in hand is judged under this version from now on. `seen_hash` names what was shown.
    Raises `GuidelinesChanged`.
    """
    guidelines = guidelines_for(member=member)
    if guidelines.hash != seen_hash:
        raise GuidelinesChanged("The guidelines have changed again. Read the new version.")
    if guidelines.standing == "read" or member.project.protocol is None:
        return
    GuidelinesReading.objects.create(
        member=member, version=member.project.protocol, text=guidelines.text, read_at=at or now()
    )
    publish(GuidelinesRead(member_id=member.pk))
