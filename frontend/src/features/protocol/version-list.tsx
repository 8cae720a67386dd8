/** The protocol's versions, the newest first, with what each changed of the one before. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { ProtocolStep } from "../../api/contract";
import { Entry, EntryHead, EntryList } from "../../components/entry-list";
import { GuidelineChanges } from "../../components/guideline-changes";
import { More } from "../../components/more";
import { QueryView } from "../../components/query-view";
import { RelativeTime } from "../../components/relative-time";
import { countOf } from "../../lib/numbers";
import styles from "./protocol.module.css";

export function VersionList({ slug }: { readonly slug: string }) {
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
        <span className={styles["soft"]}>
          made <RelativeTime at={step.created_at} />
          {step.frozen_at !== null && (
            <>
              , in use since <RelativeTime at={step.frozen_at} />
            </>
          )}
        </span>
        <code className={styles["hash"]} title={step.content_hash}>
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
        <More summary={`${countOf(changed, "line")} of the guidelines changed`}>
          <GuidelineChanges lines={step.guideline_lines} />
        </More>
      )}
    </Entry>
  );
}
