/** The answers no rule settles: the queue on the left, everything a decision rests on at the right. */
import { useState } from "react";
import { useProject } from "../../api/project";
import type { LabelSpec } from "../../domain/labels";
import { HelpSheet } from "../../components/help-sheet";
import { Page, PageHeader, useTitle } from "../../components/page";
import { ProjectButtonLink } from "../../components/project-link";
import { EmptyState, QueryView } from "../../components/query-view";
import { withChosenKeys } from "../../lib/key-settings";
import { countOf, formatCount } from "../../lib/numbers";
import { useCommands } from "../../lib/use-commands";
import {
  decisionCommands,
  filterCommands,
  markCommands,
  moveCommands,
  NO_MARKS,
  sendBackCommand,
  verdictCommand,
} from "./commands";
import { useLastDecision } from "./decision-form";
import { Dossier } from "./dossier";
import { ALL_CATEGORIES, isFiltered, openCount, type QueueWork, useKeptFocus, useQueue } from "./queue";
import { QueueFilters, QueueList } from "./queue-list";
import styles from "./queue.module.css";
import { Together } from "./together";

export function QueuePage() {
  const project = useProject();
  useTitle("Adjudication", project.name);
  const work = useQueue(project.slug);
  return (
    <Page>
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
      title={narrowed ? "No answer matches these filters" : "Nothing waits for a decision"}
      action={<ProjectButtonLink page="agreement">See agreement</ProjectButtonLink>}
    >
      <p>
        Answers on which raters disagree, or that nobody could judge, appear here with their votes, comments
        and evidence side by side.
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
      {helping && <QueueHelp labels={project.labels} onClose={() => setHelping(false)} />}
    </div>
  );
}

function QueueHeader({ work }: { readonly work: QueueWork }) {
  const queue = work.query.data;
  if (!queue) return <PageHeader title="Adjudication" />;
  const done = work.lines.filter(({ state }) => state === "decided").length;
  const today = formatCount(Math.max(queue.decided_today, done));
  const unseen = queue.total - queue.items.length;
  const open = openCount(work.lines) + unseen;
  const wanted =
    work.filter.reason === "conflict" || work.filter.judge
      ? countOf(open, "decided answer is judged otherwise", "decided answers are judged otherwise")
      : `${countOf(open, "answer waits", "answers wait")} for a decision`;
  const first = unseen > 0 ? ` · the first ${formatCount(queue.items.length)} are listed, more follow` : "";
  return <PageHeader title="Adjudication" lead={`${wanted}${first} · ${today} decided today`} />;
}

interface QueueHelpProps {
  readonly labels: readonly LabelSpec[];
  readonly onClose: () => void;
}

const nothing = () => undefined;

function QueueHelp({ labels, onClose }: QueueHelpProps) {
  const [, setVersion] = useState(0);
  const commands = [
    ...moveCommands({ move: nothing, help: nothing }),
    ...filterCommands({ focusFilters: nothing, mayShow: () => true, toggleSystems: nothing }),
    ...markCommands(NO_MARKS),
    verdictCommand(nothing),
    sendBackCommand(nothing),
    ...decisionCommands({
      labels,
      categories: ALL_CATEGORIES,
      chooseLabel: nothing,
      chooseCategory: nothing,
      writeReason: nothing,
      canDecide: () => true,
      decide: nothing,
    }),
  ];
  return (
    <HelpSheet
      commands={withChosenKeys(commands)}
      onClose={onClose}
      onChange={() => setVersion((version) => version + 1)}
    />
  );
}
