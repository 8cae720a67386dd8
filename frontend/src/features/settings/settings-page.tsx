/** What a project is called, and the protocol by which its answers are judged. */
import { useQuery } from "@tanstack/react-query";
import { useProject } from "../../api/projects/project";
import { protocolQuery } from "../../api/projects/protocol";
import { Page, Section } from "../../components/page";
import { PageHeader } from "../../components/page-header";
import { QueryView } from "../../components/query-view";
import { useTitle } from "../../lib/title";
import { NameForm } from "./name-form";
import { ProtocolForm } from "./protocol-form";

export function SettingsPage() {
  const project = useProject();
  useTitle("Settings", project.name);
  const protocol = useQuery(protocolQuery(project.slug));
  return (
    <Page width="reading">
      <PageHeader title="Settings" />
      <Section title="Project">
        <NameForm project={project} />
      </Section>
      <Section title="Protocol">
        <QueryView query={protocol}>
          {(version) => <ProtocolForm key={version.content_hash} slug={project.slug} version={version} />}
        </QueryView>
      </Section>
    </Page>
  );
}
