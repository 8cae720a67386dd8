/** Who takes part in a project and in which role; more are invited by link. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read } from "../../api/client";
import { useProject } from "../../api/project";
import { Button } from "../../components/button";
import { Page, Section } from "../../components/page";
import { PageHeader } from "../../components/page-header";
import { QueryView } from "../../components/query-view";
import { useTitle } from "../../lib/title";
import { InvitationList } from "./invitation-list";
import { InviteDialog } from "./invite-dialog";
import { MemberTable } from "./member-table";

export function PeoplePage() {
  const project = useProject();
  useTitle("People", project.name);
  const [inviting, setInviting] = useState(false);
  const members = useQuery(read("/api/projects/{slug}/members", { slug: project.slug }));
  const invitations = useQuery(read("/api/projects/{slug}/invitations", { slug: project.slug }));
  return (
    <Page>
      <PageHeader
        title="People"
        lead="Annotators judge blind: they never see systems, gold marks or each other’s votes. Whoever has looked at the project as lead or adjudicator can no longer judge blind."
        actions={
          <Button variant="primary" onClick={() => setInviting(true)}>
            Invite somebody
          </Button>
        }
      />
      <Section title="Members">
        <QueryView query={members}>{(list) => <MemberTable slug={project.slug} members={list} />}</QueryView>
      </Section>
      <Section title="Invitations">
        <QueryView query={invitations}>
          {(list) => <InvitationList slug={project.slug} invitations={list} />}
        </QueryView>
      </Section>
      {inviting && <InviteDialog slug={project.slug} onClose={() => setInviting(false)} />}
    </Page>
  );
}
