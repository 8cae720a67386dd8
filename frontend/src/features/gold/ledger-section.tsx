/** All changes of the gold list by day, the newest first. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { GoldChange } from "../../api/schema";
import { useProject } from "../../api/project";
import { Pagination } from "../../components/pagination";
import { ProjectButtonLink, ProjectLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { Term } from "../../components/term";
import { AwaitingState } from "../../domain/first-step";
import { useSearchState } from "../../lib/search-state";
import { Changes } from "./changes";
import styles from "./gold-page.module.css";

export function LedgerSection() {
  const { slug } = useProject();
  const cursor = useSearchState().read("cursor");
  const query = useQuery(read("/api/projects/{slug}/gold", { slug }, { cursor }));
  return (
    <QueryView query={query}>
      {(ledger) =>
        ledger.changes.length === 0 ? (
          <AwaitingState
            then="Then people judge and decide."
            title="Changes to the gold list appear here"
            action={<ProjectButtonLink page="queue">Go to adjudication</ProjectButtonLink>}
          >
            <p>
              When people accept an answer, Assay adds it to the question’s gold answers. When they reject a
              gold answer, Assay removes it. The ledger shows the reason for each change, and leads can undo
              any change.
            </p>
          </AwaitingState>
        ) : (
          <div className={styles["ledger"]}>
            <p>
              <Term name="ledger">Ledger</Term>:{" "}
              <ProjectLink page="export">export all changes as CSV</ProjectLink>
            </p>
            {daysOf(ledger.changes).map((day) => (
              <section key={day.date} className={styles["day"]}>
                <h2 className={styles["date"]}>{day.date}</h2>
                <Changes changes={day.changes} />
              </section>
            ))}
            <Pagination label="Pages of the ledger" of={ledger} shown={ledger.changes.length} />
          </div>
        )
      }
    </QueryView>
  );
}

interface Day {
  readonly date: string;
  readonly changes: readonly GoldChange[];
}

const DATE = new Intl.DateTimeFormat("en-US", { dateStyle: "long" });

/** Changes by day, in the order given. */
function daysOf(changes: readonly GoldChange[]): Day[] {
  const days = new Map<string, GoldChange[]>();
  for (const change of changes) {
    const date = DATE.format(new Date(change.at));
    days.set(date, [...(days.get(date) ?? []), change]);
  }
  return [...days].map(([date, list]) => ({ date, changes: list }));
}
