/** The answers no rule settles: the queue on the left, everything a decision rests on at the right. */
import { type ReactNode, useState } from "react";
import { useProject } from "../../api/project";
import type { LabelSpec } from "../../domain/labels";
import { HelpSheet } from "../../components/help-sheet";
import { Page, PageHeader, useTitle } from "../../components/page";
import { ProjectButtonLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { Term } from "../../components/term";
import { AwaitingState } from "../../domain/first-step";
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
import { useDeciding } from "./deciding";
import { useLastDecision } from "./decision-form";
import { Dossier } from "./dossier";
import { ALL_CATEGORIES, isFiltered, openCount, type QueueWork, useKeptFocus, useQueue } from "./queue";
import { FiltersButton, QueueFilters, QueueList } from "./queue-list";
import styles from "./queue.module.css";
import { Together } from "./together";

export function QueuePage() {
  const project = useProject();
  useTitle("Adjudication", project.name);
  const work = useQueue(project.slug);
  const [unfolded, setUnfolded] = useState(false);
  return (
    <Page>
      <QueueHeader
        work={work}
        filters={<FiltersButton work={work} unfolded={unfolded} setUnfolded={setUnfolded} />}
      />
      <QueryView query={work.query}>
        {(queue) => (
          <>
            <QueueFilters work={work} queue={queue} unfolded={unfolded} setUnfolded={setUnfolded} />
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
  const isLead = useProject().role === "lead";
  return (
    <AwaitingState
      then="Then annotators judge."
      title={narrowed ? "No answer matches these filters" : "No answers are waiting for a decision"}
      action={
        isLead && !narrowed ? (
          <ProjectButtonLink page="overview">View progress</ProjectButtonLink>
        ) : (
          <ProjectButtonLink page="agreement">View agreement</ProjectButtonLink>
        )
      }
    >
      <p>
        An answer appears here if annotators still disagree after all votes that the protocol asks for, or if
        nobody could judge it. Its votes, comments, and evidence are shown side by side.
      </p>
    </AwaitingState>
  );
}

function Panes({ work }: { readonly work: QueueWork }) {
  const project = useProject();
  const [helping, setHelping] = useState(false);
  const last = useLastDecision(project.slug, work);
  const deciding = useDeciding(project.slug, work, last);
  // Each answer starts with a clean form; so does one that stays after a decision, as nothing else waits.
  const shown = `${work.current} ${work.handled.filter((id) => id === work.current).length}`;
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
          <Dossier
            key={shown}
            slug={project.slug}
            id={work.current}
            work={work}
            last={last}
            deciding={deciding}
          />
        )}
      </div>
      {helping && <QueueHelp labels={project.labels} onClose={() => setHelping(false)} />}
    </div>
  );
}

const TITLE = <Term name="adjudicate">Adjudication</Term>;

interface QueueHeaderProps {
  readonly work: QueueWork;
  readonly filters: ReactNode;
}

function QueueHeader({ work, filters }: QueueHeaderProps) {
  const queue = work.query.data;
  if (!queue) return <PageHeader title={TITLE} />;
  const done = work.lines.filter(({ state }) => state === "decided").length;
  const today = formatCount(Math.max(queue.decided_today, done));
  const unseen = queue.total - queue.items.length;
  const open = openCount(work.lines) + unseen;
  const wanted =
    work.filter.reason === "conflict" || work.filter.judge
      ? countOf(
          open,
          "decided answer on which a judge disagrees",
          "decided answers on which a judge disagrees",
        )
      : `${countOf(open, "answer is waiting", "answers are waiting")} for a decision`;
  const first = unseen > 0 ? ` · showing the first ${formatCount(queue.items.length)}` : "";
  return <PageHeader title={TITLE} lead={`${wanted}${first} · ${today} decided today`} actions={filters} />;
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
