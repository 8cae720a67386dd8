/** One import in whatever state it is. */
import { useState } from "react";
import type { Import } from "../../api/contract";
import { Section } from "../../components/page";
import { ProgressBar } from "../../components/progress-bar";
import { Notice } from "../../components/notice";
import { WorkerNotice } from "../../components/worker-notice";
import { Counts } from "./counts";
import { ImportActions } from "./import-actions";
import { OptionsForm } from "./options-form";
import { ProblemList } from "./problem-list";
import { SampleRows } from "./sample-rows";
import { StoredNotice } from "./stored-notice";
import { VotedPart } from "./voted-part";
import { canBeRead, isInWork, verdictOf } from "./states";

interface ImportViewProps {
  readonly slug: string;
  readonly found: Import;
  readonly onClose: () => void;
}

export function ImportView({ slug, found, onClose }: ImportViewProps) {
  // What was read by other choices than those on the page must not be stored as if it had been read by them.
  const [isChanged, setChanged] = useState(false);
  return (
    <>
      <WorkerNotice waiting={isInWork(found)} />
      <Status found={found} />
      {found.state === "applied" && <VotedPart slug={slug} />}
      <Counts counts={found.counts} />
      <ImportActions slug={slug} found={found} isChanged={isChanged} onClose={onClose} />
      {found.problems.length > 0 && (
        <Section title={found.state === "refused" ? "What is wrong" : "Remarks"}>
          <ProblemList problems={found.problems} causes={found.causes} total={found.problem_count} />
        </Section>
      )}
      {canBeRead(found) && (
        <Section title="How the files are read">
          {/* Another check starts with what it was checked by. */}
          <OptionsForm
            key={JSON.stringify([found.format, found.options])}
            slug={slug}
            found={found}
            isChanged={isChanged}
            onChanged={setChanged}
          />
        </Section>
      )}
      {found.sample.length > 0 && (
        <Section title="First rows as they were understood">
          <SampleRows rows={found.sample} />
        </Section>
      )}
    </>
  );
}

const WORK: Readonly<Partial<Record<Import["state"], string>>> = {
  checking: "Checking the files",
  applying: "Storing the rows",
  undoing: "Taking the rows out again",
};

function Status({ found }: { readonly found: Import }) {
  if (isInWork(found)) {
    const words = WORK[found.state] ?? "";
    const total = found.state === "undoing" ? null : found.rows_total || null;
    return <ProgressBar label={words} done={found.rows_done} total={total} note={words} />;
  }
  if (found.state === "applied") return <StoredNotice found={found} />;
  if (found.state === "undone") return <Notice title="This import was taken back; nothing of it is left." />;
  if (found.state === "failed") {
    return (
      <Notice tone="danger" title="The import failed, and nothing of it was kept">
        <p>{found.message}</p>
      </Notice>
    );
  }
  const verdict = verdictOf(found);
  return (
    <Notice tone={verdict.tone} title={verdict.words}>
      {found.message && <p>{found.message}</p>}
    </Notice>
  );
}
