/** Every application of a policy: when, by whom, what it did, and the way back. */
import { useState } from "react";
import type { PolicyApplication } from "../../api/contract";
import { Badge } from "../../components/badge";
import { Button } from "../../components/button";
import { Entry, EntryHead, EntryList } from "../../components/entry-list";
import { RelativeTime } from "../../components/relative-time";
import { formatPercent } from "../../lib/numbers";
import styles from "./prejudging.module.css";
import { UndoDialog } from "./undo-dialog";
import { countWords, stateWords } from "./words";

interface ApplicationListProps {
  readonly slug: string;
  readonly applications: readonly PolicyApplication[];
}

export function ApplicationList({ slug, applications }: ApplicationListProps) {
  const [undoing, setUndoing] = useState<PolicyApplication | null>(null);
  return (
    <>
      <EntryList>
        {applications.map((application) => (
          <Entry key={application.id}>
            <EntryHead>
              <h3>Application {application.number}</h3>
              <Badge tone={application.state === "done" ? "success" : "neutral"}>
                {stateWords(application)}
              </Badge>
              <span className={styles["soft"]}>
                {application.applied_by} · <RelativeTime at={application.applied_at} />
              </span>
            </EntryHead>
            <ol className={styles["rules"]}>
              {application.rules.map((rule) => (
                <li key={rule.number}>{rule.text}</li>
              ))}
            </ol>
            <p className={styles["soft"]}>
              {countWords(application)} · {formatPercent(application.audit_share, 0)} drawn
              {application.undo_reason && ` · undone: ${application.undo_reason}`}
            </p>
            {application.state === "done" && application.decided > 0 && (
              <div>
                <Button size="small" onClick={() => setUndoing(application)}>
                  Undo all of it
                </Button>
              </div>
            )}
          </Entry>
        ))}
      </EntryList>
      {undoing && (
        <UndoDialog
          slug={slug}
          application={undoing.id}
          rule={null}
          what={`All that application ${undoing.number} settled`}
          onClose={() => setUndoing(null)}
        />
      )}
    </>
  );
}
