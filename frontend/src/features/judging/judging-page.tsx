/** The page where answers are judged: a question, its answers, one key a label. */
import { useSuspenseQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Project } from "../../api/contract";
import { sessionQuery } from "../../api/session";
import { ApiError } from "../../api/error";
import { useProject } from "../../api/project";
import { Dialog } from "../../components/dialog";
import { ErrorState } from "../../components/error-state";
import { HelpSheet } from "../../components/help-sheet";
import { Skeleton } from "../../components/skeleton";
import { classNames } from "../../lib/class-names";
import { t } from "../../lib/i18n/t";
import { useTitle } from "../../lib/title";
import { useCommands } from "../../lib/use-commands";
import type { Desk } from "./desk";
import type { DeskState } from "./desk-state";
import { FlagDialog } from "./flag-dialog";
import { GuidelinesPanel } from "./guidelines-panel";
import { GuidelinesReading } from "./guidelines-reading";
import { isHelp, printedKey } from "./judging-commands";
import styles from "./judging-page.module.css";
import { NoSheet } from "./no-sheet";
import { SheetView } from "./sheet-view";
import { SkipDialog } from "./skip-dialog";
import { StatusLine } from "./status-line";
import { Training } from "./training";
import { useServerDesk } from "./use-desk";
import { type Judging, useJudging } from "./use-judging";

export function JudgingPage() {
  const project = useProject();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const desk = useServerDesk(project.slug, session.user?.public_id ?? "");
  useTitle(t("Judge"), project.name);
  return <JudgingDesk project={project} desk={desk} />;
}

interface JudgingDeskProps {
  readonly project: Project;
  readonly desk: Desk;
  /** What stands at the end of a preview, in which nothing is sent to the server. */
  readonly endOfPreview?: ReactNode;
}

export function JudgingDesk({ project, desk, endOfPreview }: JudgingDeskProps) {
  const judging = useJudging(project, desk);
  const isPreview = endOfPreview !== undefined;
  const { state, sheet, commands, panel, close, guidelines } = judging;
  const isInTraining = sheet === null && isTrainingDue(state);
  // The training has its own keys for what it shares with judging.
  useCommands(isInTraining ? commands.filter(isHelp) : commands);

  if (state.loadError !== null && sheet === null && !isInTraining) {
    return <ErrorState level={1} error={state.loadError} onRetry={() => void desk.open()} />;
  }
  return (
    <div className={classNames(styles["page"], guidelines.isOpen && styles["withPanel"])}>
      <div className={styles["work"]}>
        {!isInTraining && <StatusLine state={state} commands={commands} isPreview={isPreview} />}
        {guidelines.mustRead ? (
          <GuidelinesReading
            guidelines={guidelines}
            hasSheet={sheet !== null}
            readKey={printedKey(commands, "guidelines")}
          />
        ) : (
          <Desktop project={project} judging={judging} end={endOfPreview} />
        )}
      </div>
      {guidelines.isOpen && (
        <GuidelinesPanel
          html={project.guidelines_html}
          closeKey={printedKey(commands, "guidelines")}
          onClose={guidelines.close}
        />
      )}
      {sheet && panel === "skip" && <SkipDialog onClose={close} onSkip={judging.skip} />}
      {sheet && panel === "flag" && isPreview && (
        <Dialog open title="Flag the question" onClose={close}>
          <p>Raters tell you here what is the matter with a question. In a preview nothing is flagged.</p>
        </Dialog>
      )}
      {sheet && panel === "flag" && !isPreview && (
        <FlagDialog
          slug={project.slug}
          sheet={sheet}
          goldShown={project.gold_shown}
          onFlagged={(kind) => desk.markFlagged(sheet.id, kind)}
          onClose={close}
        />
      )}
      <HelpSheet open={panel === "help"} commands={commands} onClose={close} onChange={judging.rereadKeys} />
    </div>
  );
}

function isTrainingDue({ loadError }: DeskState): boolean {
  return loadError instanceof ApiError && loadError.code === "training_due";
}

interface DesktopProps {
  readonly project: Project;
  readonly judging: Judging;
  readonly end: ReactNode;
}

function Desktop({ project, judging, end }: DesktopProps) {
  const { desk, state, sheet, commands, guidelines } = judging;
  if (sheet === null && isTrainingDue(state)) {
    return <Training project={project} onGuidelines={guidelines.act} onPassed={() => void desk.open()} />;
  }
  if (sheet) return <SheetView key={sheet.id} sheet={sheet} labels={project.labels} judging={judging} />;
  if (state.loading) return <Skeleton lines={6} height={2} />;
  if (end !== undefined) return end;
  return <NoSheet desk={desk} state={state} commands={commands} />;
}
