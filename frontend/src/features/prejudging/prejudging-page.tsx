/** Which answers programs settle without people, and how far that can be trusted. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import { useProject } from "../../api/project";
import { JudgesNav } from "../../components/judges-nav";
import { Page, Section } from "../../components/page";
import { PageHeader } from "../../components/page-header";
import { QueryView } from "../../components/query-view";
import { WorkerNotice } from "../../components/worker-notice";
import { useTitle } from "../../lib/title";
import { ApplicationList } from "./application-list";
import { AuditSection } from "./audit-section";
import { PolicyForm } from "./policy-form";
import { SettledList } from "./settled-list";
import { headlineOf, isAtWork } from "./words";

const ASK_AGAIN_AFTER = 1_000;

export function PrejudgingPage() {
  const project = useProject();
  useTitle("Pre-judging", project.name);
  const policy = useQuery({
    ...read("/api/projects/{slug}/prejudging", { slug: project.slug }),
    refetchInterval: ({ state }) => (isAtWork(state.data) ? ASK_AGAIN_AFTER : false),
  });
  const audit = useQuery(read("/api/projects/{slug}/prejudging/audit", { slug: project.slug }));
  const applied = (policy.data?.applications.length ?? 0) > 0;
  return (
    <Page>
      <PageHeader title="Pre-judging" lead={audit.data && headlineOf(audit.data)} />
      <JudgesNav current="runs/prejudging" />
      <WorkerNotice waiting={isAtWork(policy.data)} />
      {audit.data?.pooled && (
        <Section title="What people say of it">
          <AuditSection audit={audit.data} />
        </Section>
      )}
      <Section title="Policy">
        <QueryView query={policy}>
          {(found) => <PolicyForm key={found.saved_at ?? "new"} slug={project.slug} policy={found} />}
        </QueryView>
      </Section>
      {audit.data?.pooled && (
        <Section title="Settled answers">
          <SettledList slug={project.slug} audit={audit.data} />
        </Section>
      )}
      {applied && policy.data && (
        <Section title="Applied so far">
          <ApplicationList slug={project.slug} applications={policy.data.applications} />
        </Section>
      )}
    </Page>
  );
}
