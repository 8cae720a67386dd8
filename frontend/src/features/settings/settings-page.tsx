/** What a project is called, and the protocol by which its answers are judged. */
import { useProject } from "../../api/project";
import { Page, Section } from "../../components/page";
import { PageHeader } from "../../components/page-header";
import { useTitle } from "../../lib/title";
import { ArchiveSection } from "./archive-section";
import { CopyForm } from "./copy-form";
import { NameForm } from "./name-form";
import { ProtocolLink, ProtocolSection } from "./protocol-section";

export function SettingsPage() {
  const project = useProject();
  useTitle("Settings", project.name);
  return (
    <Page width="reading">
      <PageHeader title="Settings" />
      <Section title="Project">
        <NameForm project={project} />
      </Section>
      <Section title="Protocol">
        <ProtocolSection slug={project.slug} />
        <ProtocolLink />
      </Section>
      <Section title="Another project like this">
        <CopyForm slug={project.slug} />
      </Section>
      <Section title="Archive">
        <ArchiveSection project={project} />
      </Section>
    </Page>
  );
}
