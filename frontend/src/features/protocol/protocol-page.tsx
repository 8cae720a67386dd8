/** The protocol by which a project's answers are judged: to adapt, and its versions. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { ProtocolVersion } from "../../api/contract";
import { useProject } from "../../api/project";
import { Page, Section } from "../../components/page";
import { PageHeader } from "../../components/page-header";
import { ProjectButtonLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { RelativeTime } from "../../components/relative-time";
import { useTitle } from "../../lib/title";
import { ProtocolEditor } from "./protocol-editor";
import { ReaderTable } from "./reader-table";
import { VersionList } from "./version-list";

export function ProtocolPage() {
  const { slug, name } = useProject();
  useTitle("Protocol", name);
  const protocol = useQuery(read("/api/projects/{slug}/protocol", { slug }));
  const presets = useQuery(read("/api/presets"));
  return (
    <Page width="wide">
      <PageHeader
        title="Protocol"
        lead={protocol.data && <Standing version={protocol.data} />}
        actions={
          <ProjectButtonLink page="protocol/try" size="small">
            Try it
          </ProjectButtonLink>
        }
      />
      <QueryView query={protocol}>
        {(version) => (
          <QueryView query={presets}>
            {(all) => (
              <ProtocolEditor key={version.content_hash} slug={slug} version={version} presets={all} />
            )}
          </QueryView>
        )}
      </QueryView>
      <Section title="Who has read the guidelines">
        <ReaderTable slug={slug} />
      </Section>
      <Section title="Versions">
        <VersionList slug={slug} />
      </Section>
    </Page>
  );
}

function Standing({ version }: { readonly version: ProtocolVersion }) {
  return (
    <p>
      Version {version.number},{" "}
      {version.frozen_at === null ? (
        "not in use yet: it can still be changed freely."
      ) : (
        <>
          in use since <RelativeTime at={version.frozen_at} />. A change makes a new version; votes keep the
          one they were given under.
        </>
      )}
    </p>
  );
}
