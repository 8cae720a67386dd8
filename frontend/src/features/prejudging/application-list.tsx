/** Every application of a policy: when, by whom, what it did, and the way back. */
import { useState } from "react";
import type { PolicyApplication } from "../../api/contract";
import { Badge } from "../../components/badge";
import { Button } from "../../components/button";
import { Entry, EntryHead, EntryList } from "../../components/entry-list";
import { RelativeTime } from "../../components/relative-time";
import { countOf, formatPercent } from "../../lib/numbers";
import styles from "./prejudging.module.css";
import { UndoDialog } from "./undo-dialog";
import { countWords, isUnaudited, stateWords } from "./words";

interface ApplicationListProps {
  readonly slug: string;
  readonly applications: readonly PolicyApplication[];
}

interface Undoing {
  readonly application: PolicyApplication;
  /** Null for all of it. */
  readonly rule: PolicyApplication["rules"][number] | null;
}

export function ApplicationList({ slug, applications }: ApplicationListProps) {
  const [undoing, setUndoing] = useState<Undoing | null>(null);
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
              {isUnaudited(application) && <Badge tone="warning">unaudited</Badge>}
              <span className={styles["soft"]}>
                {application.applied_by} · <RelativeTime at={application.applied_at} />
              </span>
            </EntryHead>
            <ol className={styles["rules"]}>
              {application.rules.map((rule) => (
                <li key={rule.number}>
                  {rule.text}{" "}
                  {application.state === "done" && rule.decided + rule.drawn > 0 && (
                    <Button size="small" variant="quiet" onClick={() => setUndoing({ application, rule })}>
                      Undo
                      <span className="visually-hidden">
                        {" "}
                        rule {rule.number} of application {application.number}
                      </span>
                    </Button>
                  )}
                </li>
              ))}
            </ol>
            <p className={styles["soft"]}>
              {countWords(application)} · {formatPercent(application.audit_share, 0)} drawn
              {application.undo_reason && ` · undone: ${application.undo_reason}`}
            </p>
            {application.state === "done" && application.decided > 0 && (
              <div>
                <Button size="small" onClick={() => setUndoing({ application, rule: null })}>
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
          application={undoing.application.id}
          rule={undoing.rule?.number ?? null}
          what={whatWords(undoing)}
          onClose={() => setUndoing(null)}
        />
      )}
    </>
  );
}

function whatWords({ application, rule }: Undoing): string {
  if (rule === null) return `All that application ${application.number} settled`;
  return `What rule ${rule.number} of application ${application.number} settled (${countOf(rule.decided, "answer")})`;
}
