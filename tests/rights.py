"""Who may do what over HTTP, written by hand from the documentation, not from what the views declare.

Sources: docs/guide.md (People), docs/api.md (API tokens), and decisions 0050, 0060 and 0067. A new operation
fails `tests/test_rights.py` until it stands here.
"""

from typing import NamedTuple

from tests.requests_from_schema import Operation
from tests.routes import PARAMETER

# What the letters of `OF_A_PROJECT` mean.
ROLES = {"L": "lead", "A": "adjudicator", "R": "annotator", "V": "viewer"}
# From the narrowest; each allows what those before it allow.
SCOPES = ("read", "run", "write", "manage")

# Below /api/projects/<slug>: the roles, the scope that a token needs, and the operations.
OF_A_PROJECT: dict[tuple[str, str], str] = {
    ("LARV", "read"): """
        GET
    """,
    ("LARV", "manage"): """
        POST /leave
    """,
    ("LAV", "read"): """
        GET /agreement
        GET /agreement/decisions
        GET /agreement/slices
        GET /answer-choices
        GET /answer-views
        GET /answers
        GET /answers/{candidate}
        GET /failure-board
        GET /filters
        GET /gold
        GET /gold/days
        GET /gold/questions
        GET /judge-board
        GET /judge-board/cautions
        GET /judge-board/differences
        GET /judge-board/pairs
        GET /judge-board/replacement
        GET /judge-board/strategies
        GET /judge-board/{run}/parts
        GET /judge-board/{run}/thresholds
        GET /leaderboard
        GET /leaderboard/amendments
        GET /leaderboard/beyond
        GET /leaderboard/corrected
        GET /leaderboard/datasets
        GET /leaderboard/pairs
        GET /methods
        GET /overview
        GET /paper-tables
        GET /reference-scores
        GET /systems-board
        GET /systems-board/questions
        GET /systems-board/two
        GET /tag-sets
        GET /tagging
        GET /tagging/{tagging_round}/results
    """,
    ("LV", "read"): """
        GET /exports
        GET /prejudging/audit
        GET /results
        GET /systems
    """,
    ("LA", "read"): """
        GET /queue
        GET /queue/{candidate}
        GET /tagging/{tagging_round}
        GET /tagging/{tagging_round}/items/{item}
    """,
    ("LA", "write"): """
        POST /answer-views
        PATCH /answer-views/{view}
        DELETE /answer-views/{view}
        POST /answers/{candidate}/decision
        POST /answers/{candidate}/reopen
        POST /answers/{candidate}/send-back
        POST /queue/decide
        POST /queue/send-back
        POST /queue/take-back
        POST /tagging/{tagging_round}/items/{item}/tags
        POST /tagging/{tagging_round}/items/{item}/withdraw
    """,
    ("R", "read"): """
        GET /guidelines
        GET /judged
        GET /training
    """,
    ("R", "write"): """
        POST /guidelines
        POST /judged/{sheet_id}/answers/{answer_id}/edit
        POST /sheets/{sheet_id}/flags
        POST /sheets/{sheet_id}/skip
        POST /sheets/{sheet_id}/submit
        POST /sheets/next
        POST /sheets/undo
        POST /training/again
        POST /training/answers
    """,
    ("L", "read"): """
        GET /activity
        GET /agreement/pilots
        GET /allowed-hosts
        GET /connections
        GET /connections/{connection_id}
        GET /export-formats
        GET /gold/proposals
        GET /import-formats
        GET /imports
        GET /imports/{id}
        GET /invitations
        GET /known-answers
        GET /leaderboard/plan
        GET /members
        GET /model-apis
        GET /organization
        GET /prejudging
        GET /prejudging/answers
        GET /prejudging/calibration
        GET /prejudging/decided-by
        GET /prejudging/routing
        GET /prejudging/routing/replay
        GET /prompts
        GET /prompts/placeholders
        GET /prompts/{prompt_id}
        GET /protocol
        GET /protocol/readers
        GET /protocol/versions
        GET /quality-plan
        GET /raters
        GET /raters/{rater}
        GET /reuse
        GET /reuse/preview
        GET /runs
        GET /runs/scopes
        GET /runs/{run_id}
        GET /runs/{run_id}/verdicts
        GET /sample
        GET /setup
        GET /webhooks
        GET /webhooks/{webhook}
        GET /webhooks/{webhook}/deliveries
        GET /work
        GET /work/pilots
    """,
    ("L", "run"): """
        PATCH /runs/{run_id}
        POST /answer-exports
        POST /exports
        POST /runs
        POST /runs/estimate
        POST /runs/{run_id}/cancel
        POST /runs/{run_id}/continue
        POST /runs/{run_id}/pause
        POST /runs/{run_id}/resume
        POST /runs/{run_id}/retry
    """,
    ("L", "write"): """
        PATCH
        POST /copy
        POST /gold/{change}/undo
        POST /gold/corrections
        POST /gold/groups/{group}/undo
        POST /gold/proposals/accept
        POST /gold/proposals/dismissed
        DELETE /gold/proposals/dismissed
        POST /gold/proposals/preview
        POST /imports
        DELETE /imports/{id}
        POST /imports/{id}/cancel
        POST /imports/{id}/check
        POST /imports/{id}/confirm
        POST /imports/{id}/undo
        POST /known-answers
        DELETE /known-answers/{known_id}
        POST /known-answers/draw
        POST /known-answers/several
        POST /leaderboard/plan
        PUT /prejudging
        POST /prejudging/apply
        POST /prejudging/calibration
        PATCH /prejudging/calibration
        DELETE /prejudging/calibration
        POST /prejudging/certificates
        POST /prejudging/preview
        POST /prejudging/routing
        POST /prejudging/routing/{routing_id}/end
        POST /prejudging/undo
        POST /prompts
        POST /prompts/preview
        PUT /protocol
        POST /protocol/foresee
        POST /protocol/guidelines-preview
        PUT /quality-plan
        POST /questions/{question}/correct
        POST /reference-scores
        DELETE /reference-scores/{reference}
        POST /reference-scores/{reference}/restore
        POST /reference-scores/import
        POST /reuse
        POST /reuse/undo
        POST /sample
        PATCH /systems/{id}
        POST /tag-sets
        PUT /tag-sets/{key}
        POST /tagging
        POST /tagging/chosen
        POST /tagging/preview
        POST /trainees/{member_id}/let-through
        PUT /work
        POST /work/pilots
        POST /work/pilots/end
        POST /work/raters/{member_id}/take-back
    """,
    ("L", "manage"): """
        POST /connections
        PATCH /connections/{connection_id}
        POST /connections/{connection_id}/archive
        POST /connections/{connection_id}/test
        POST /delete
        POST /invitations
        PATCH /invitations/{invitation_id}
        DELETE /invitations/{invitation_id}
        PATCH /members/{member_id}
        PUT /organization
        POST /webhooks
        PATCH /webhooks/{webhook}
        DELETE /webhooks/{webhook}
        POST /webhooks/{webhook}/deliveries/{delivery}/retry
        POST /webhooks/{webhook}/rotate
        POST /webhooks/{webhook}/test
        POST /work/raters/{member_id}/pause
        POST /work/raters/{member_id}/resume
    """,
}
# Elsewhere. What a token needs: a scope; "none" where no token is let in.
ELSEWHERE: dict[tuple[str, str], str] = {
    ("anybody", "read"): """
        GET /api/help
        GET /api/help/{name}
        GET /api/help/pictures/{name}
        GET /api/help/search
    """,
    ("anybody", "none"): """
        GET /api/email-links/{token}
        POST /api/email-links/{token}
        GET /api/invitations/{token}
        POST /api/invitations/{token}/accept
        GET /api/password-links/{token}
        POST /api/password-links/{token}
        POST /api/password-requests
        GET /api/session
        POST /api/session
        DELETE /api/session
        GET /api/sso
        POST /api/sso/begin
        POST /api/sso/code
        POST /api/unsubscribe/{token}
    """,
    ("signed in", "none"): """
        PATCH /api/account
        POST /api/account/close
        GET /api/account/email
        PUT /api/account/email
        PATCH /api/account/email
        POST /api/account/password
        GET /api/account/sign-ins
        GET /api/account/sso
        POST /api/account/sso
        POST /api/account/sso/disconnect
        GET /api/account/tokens
        POST /api/account/tokens
        DELETE /api/account/tokens/{token_id}
        GET /api/account/two-factor
        POST /api/account/two-factor
        POST /api/account/two-factor/recovery-codes
        POST /api/account/two-factor/turn-off
        POST /api/account/two-factor/turn-on
    """,
    ("signed in", "read"): """
        GET /api/bundles
        GET /api/comparison
        GET /api/exports/{id}
        GET /api/exports/{id}/download
        GET /api/judges
        GET /api/organizations
        GET /api/organizations/{organization}
        GET /api/presets
        GET /api/projects
        GET /api/worker
    """,
    ("signed in", "write"): """
        POST /api/bundles
        POST /api/projects
    """,
    ("signed in", "manage"): """
        POST /api/organizations/{organization}/people
        PATCH /api/organizations/{organization}/people/{member_id}
        DELETE /api/organizations/{organization}/people/{member_id}
    """,
}
PROJECT = "/api/projects/{slug}"
# Needs other projects, so a token for one does not open it.
BEYOND_ONE_PROJECT = {
    f"POST {PROJECT}/copy",
    f"GET {PROJECT}/reuse",
    f"POST {PROJECT}/reuse",
    f"GET {PROJECT}/reuse/preview",
    f"POST {PROJECT}/reuse/undo",
}
# Of no project, or made for the token's: a token for one project opens it.
FOR_ONE_PROJECT = {
    "GET /api/exports/{id}",
    "GET /api/exports/{id}/download",
    "GET /api/help",
    "GET /api/help/{name}",
    "GET /api/help/pictures/{name}",
    "GET /api/help/search",
    "GET /api/judges",
    "GET /api/presets",
    "GET /api/projects",
    "GET /api/worker",
}


class Right(NamedTuple):
    """Who may do one thing; `who`: letters of roles in the project, "signed in", or "anybody"."""

    who: str
    scope: str
    is_of_a_project: bool
    takes_project_tokens: bool

    def is_for(self, role: str) -> bool:
        """Return whether it is for a role in the project, a "stranger" to it, or "nobody"."""
        if self.who == "anybody":
            return True
        if self.who == "signed in":
            return role != "nobody"
        return role in {ROLES[letter] for letter in self.who}

    def is_allowed_by(self, scope: str, *, is_of_one_project: bool) -> bool:
        """Return whether a token is enough, whoever brings it."""
        if self.scope == "none" or (is_of_one_project and not self.takes_project_tokens):
            return False
        return SCOPES.index(scope) >= SCOPES.index(self.scope)


def name_of(operation: Operation) -> str:
    """Return what the table calls an operation."""
    return f"{operation.method} " + PARAMETER.sub(r"{\1}", operation.route.template)


def rights() -> dict[str, Right]:
    """Return the right to each operation, named by method and address."""
    found: dict[str, Right] = {}
    for is_of_a_project, table in ((True, OF_A_PROJECT), (False, ELSEWHERE)):
        for (who, scope), lines in table.items():
            for line in lines.strip().splitlines():
                method, _, address = line.strip().partition(" ")
                name = f"{method} {PROJECT if is_of_a_project else ''}{address}"
                if name in found:
                    raise ValueError(f"{name} stands twice in the table of rights.")
                takes = name not in BEYOND_ONE_PROJECT if is_of_a_project else name in FOR_ONE_PROJECT
                found[name] = Right(who, scope, is_of_a_project, takes)
    return found


def may(right: Right, *, method: str, role: str, scope: str = "", is_of_one_project: bool = False) -> bool:
    """Return whether somebody gets in; no scope is a session."""
    if scope and not right.is_allowed_by(scope, is_of_one_project=is_of_one_project):
        return False
    if scope and role == "viewer" and right.is_of_a_project and method != "GET":
        # "Where you are a viewer, any token can only read."
        return False
    return right.is_for(role)
