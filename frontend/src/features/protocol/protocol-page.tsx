/** The protocol by which a project's answers are judged: to adapt, and its versions. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { Protocol, ProtocolStep, Reader } from "../../api/schema";
import { useProject } from "../../api/project";
import { Entry, EntryHead, EntryList, More } from "../../components/list";
import { Page, PageHeader, Section, useTitle } from "../../components/page";
import { ProjectButtonLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { RelativeTime } from "../../components/relative-time";
import { type Column, Table } from "../../components/table";
import { Term } from "../../components/term";
import { GuidelineChanges } from "../../domain/guideline-changes";
import { countOf } from "../../lib/numbers";
import { ProtocolEditor } from "./protocol-editor";
import styles from "./protocol.module.css";

export function ProtocolPage() {
  const { slug, name } = useProject();
  useTitle("Protocol", name);
  const protocol = useQuery(read("/api/projects/{slug}/protocol", { slug }));
  const presets = useQuery(read("/api/presets"));
  return (
    <Page width="wide">
      <PageHeader
        title={<Term name="protocol">Protocol</Term>}
        lead={protocol.data && <Standing version={protocol.data} />}
        actions={
          <ProjectButtonLink page="protocol/try" size="small">
            Preview protocol
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

function Standing({ version }: { readonly version: Protocol }) {
  return (
    <p>
      Version {version.number}{" "}
      {version.frozen_at === null ? (
        "is not in use yet. You can still change it freely."
      ) : (
        <>
          was first used <RelativeTime at={version.frozen_at} />. Changes create a new version. Existing votes
          keep the version under which they were cast.
        </>
      )}
    </p>
  );
}

function VersionList({ slug }: { readonly slug: string }) {
  const versions = useQuery(read("/api/projects/{slug}/protocol/versions", { slug }));
  return (
    <QueryView query={versions}>
      {(steps) => (
        <EntryList>
          {steps.map((step) => (
            <Version key={step.number} step={step} />
          ))}
        </EntryList>
      )}
    </QueryView>
  );
}

function Version({ step }: { readonly step: ProtocolStep }) {
  const changed = step.guideline_lines.filter(({ kind }) => kind === "added" || kind === "removed").length;
  return (
    <Entry>
      <EntryHead>
        <strong>Version {step.number}</strong>
        <span className="soft">
          created <RelativeTime at={step.created_at} />
          {step.frozen_at !== null && (
            <>
              , first used <RelativeTime at={step.frozen_at} />
            </>
          )}
        </span>
        <code className="soft" title={step.content_hash}>
          {step.content_hash.slice(0, 12)}
        </code>
      </EntryHead>
      {step.differences.length > 0 && (
        <ul className={styles["differences"]}>
          {step.differences.map((difference) => (
            <li key={difference.field}>
              {difference.name}: <del>{difference.before}</del> <ins>{difference.after}</ins>
            </li>
          ))}
        </ul>
      )}
      {changed > 0 && (
        <More summary={`${countOf(changed, "guideline line")} changed`}>
          <GuidelineChanges lines={step.guideline_lines} />
        </More>
      )}
    </Entry>
  );
}

const COLUMNS: readonly Column<Reader>[] = [
  {
    key: "annotator",
    header: "Annotator",
    value: ({ name }) => name,
    csv: ({ name, pseudonym }) => ({ annotator: name, pseudonym }),
  },
  {
    key: "version",
    header: "Version read",
    cell: ({ number }) => (number === null ? "None" : `Version ${number}`),
    value: ({ number }) => number,
  },
  {
    key: "read_at",
    header: "Read",
    cell: ({ read_at: at }) => (at === null ? "–" : <RelativeTime at={at} />),
    value: ({ read_at: at }) => at,
  },
  {
    key: "up_to_date",
    header: "Up to date",
    cell: ({ is_up_to_date: known }) => (known ? "Yes" : "No; must read it before the next sheet"),
    value: ({ is_up_to_date: known }) => Number(known),
  },
];

function ReaderTable({ slug }: { readonly slug: string }) {
  const readers = useQuery(read("/api/projects/{slug}/protocol/readers", { slug }));
  return (
    <QueryView query={readers}>
      {(all) =>
        all.length === 0 ? (
          <p className="soft">No annotators have joined yet.</p>
        ) : (
          <Table
            folds
            caption="Who has read the guidelines"
            columns={COLUMNS}
            rows={all}
            rowKey={({ public_id: id }) => id}
            file={{ name: "who-has-read-the-guidelines" }}
          />
        )
      }
    </QueryView>
  );
}
