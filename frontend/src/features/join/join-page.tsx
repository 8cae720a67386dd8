/** Where an invitation link leads: what it offers, and joining with or without an account. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { read } from "../../api/client";
import { sessionQuery } from "../../api/session";
import type { Invitation, Membership, Session } from "../../api/contract";
import { ApiError, messageOf } from "../../api/error";
import { ButtonLink } from "../../components/button";
import { EmptyState } from "../../components/empty-state";
import { Page } from "../../components/page";
import { PageHeader } from "../../components/page-header";
import { QueryView } from "../../components/query-view";
import { t } from "../../lib/i18n/t";
import { useTitle } from "../../lib/title";
import { JoinAsMember } from "./join-as-member";
import { JoinWithAccount } from "./join-with-account";
import { roleWords } from "./role-words";

export function JoinPage() {
  const { token = "" } = useParams({ strict: false });
  const invitation = useQuery({ ...read("/api/invitations/{token}", { token }), retry: false });
  const session = useQuery(sessionQuery);
  useTitle(t("Join"), invitation.data?.project_name);
  const { error } = invitation;
  if (error instanceof ApiError && error.kind === "not_found") return <Unusable words={messageOf(error)} />;
  return (
    <Page width="narrow">
      <QueryView query={invitation} level={1}>
        {(offer) => (
          <QueryView query={session}>
            {(current) => <Offer token={token} offer={offer} session={current} />}
          </QueryView>
        )}
      </QueryView>
    </Page>
  );
}

/** Why a link opens nothing is told to nobody who holds it. */
function Unusable({ words }: { readonly words: string }) {
  return (
    <Page width="narrow">
      <EmptyState
        level={1}
        title={t("This invitation does not work")}
        action={<ButtonLink to="/">{t("Your projects")}</ButtonLink>}
      >
        <p>{words}</p>
      </EmptyState>
    </Page>
  );
}

interface OfferProps {
  readonly token: string;
  readonly offer: Invitation;
  readonly session: Session;
}

function Offer({ token, offer, session }: OfferProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const enter = async (membership: Membership) => {
    queryClient.clear();
    await queryClient.fetchQuery(sessionQuery);
    await navigate({ to: `/${membership.project_slug}` as "/", replace: true });
  };
  return (
    <>
      <PageHeader title={t("Join {project}", { project: offer.project_name })} lead={roleWords(offer.role)} />
      {session.user ? (
        <JoinAsMember token={token} user={session.user} onJoined={enter} />
      ) : (
        <JoinWithAccount token={token} onJoined={enter} />
      )}
    </>
  );
}
