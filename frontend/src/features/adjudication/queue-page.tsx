/** The answers no rule settles: the queue on the left, everything a decision rests on at the right. */
import { useState } from "react";
import { useProject } from "../../api/project";
import { EmptyState } from "../../components/empty-state";
import { Page } from "../../components/page";
import { ProjectButtonLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { useCommands } from "../../lib/use-commands";
import { useTitle } from "../../lib/title";
import { moveCommands } from "./commands";
import { Dossier } from "./dossier";
import { isFiltered } from "./queue-filter";
import { QueueFilters } from "./queue-filters";
import { QueueHeader } from "./queue-header";
import { QueueHelp } from "./queue-help";
import { QueueList } from "./queue-list";
import styles from "./queue-page.module.css";
import { Together } from "./together";
import { useLastDecision } from "./use-last-decision";
import { useKeptFocus } from "./use-kept-focus";
import { type QueueWork, useQueue } from "./use-queue";

export function QueuePage() {
  const project = useProject();
  useTitle("Adjudicate", project.name);
  const work = useQueue(project.slug);
  return (
    <Page width="full">
      <QueueHeader work={work} />
      <QueryView query={work.query}>
        {(queue) => (
          <>
            <QueueFilters work={work} queue={queue} />
            {work.current === null ? (
              <NothingWaits isFiltered={isFiltered(work.filter)} />
            ) : (
              <Panes work={work} />
            )}
          </>
        )}
      </QueryView>
    </Page>
  );
}

function NothingWaits({ isFiltered: narrowed }: { readonly isFiltered: boolean }) {
  return (
    <EmptyState
      title={narrowed ? "Nothing here fits these filters" : "Nothing waits for a decision"}
      action={<ProjectButtonLink page="agreement">See agreement</ProjectButtonLink>}
    >
      <p>
        Answers on which the raters differ, or that nobody could judge, will stand here with their votes,
        comments and evidence side by side.
      </p>
    </EmptyState>
  );
}

function Panes({ work }: { readonly work: QueueWork }) {
  const project = useProject();
  const [helping, setHelping] = useState(false);
  const last = useLastDecision(project.slug, work);
  // Each answer starts with a clean form; so does one that stays after a decision, as nothing else waits.
  const shown = `${work.current} ${work.handled.length}`;
  const keptFocus = useKeptFocus(shown);
  useCommands(moveCommands({ move: work.move, help: () => setHelping(true) }));
  return (
    <div className={styles["panes"]} data-chosen={work.isChosen}>
      <div className={styles["list"]}>
        <Together work={work} last={last} />
        <QueueList work={work} />
      </div>
      <div className={styles["detail"]} {...keptFocus}>
        {work.current && (
          <Dossier key={shown} slug={project.slug} id={work.current} work={work} last={last} />
        )}
      </div>
      <QueueHelp open={helping} labels={project.labels} onClose={() => setHelping(false)} />
    </div>
  );
}
