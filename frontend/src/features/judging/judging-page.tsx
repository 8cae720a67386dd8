/** The page where answers are judged: a question, its answers, one key a label. */
import { useSuspenseQuery } from "@tanstack/react-query";
import { sessionQuery } from "../../api/accounts/session";
import { useProject } from "../../api/projects/project";
import { ErrorState } from "../../components/error-state";
import { HelpSheet } from "../../components/help-sheet";
import { Skeleton } from "../../components/skeleton";
import { classNames } from "../../lib/class-names";
import { useTitle } from "../../lib/title";
import { useCommands } from "../../lib/use-commands";
import { FlagDialog } from "./flag-dialog";
import { GuidelinesPanel } from "./guidelines-panel";
import { printedKey } from "./judging-commands";
import styles from "./judging-page.module.css";
import { NoSheet } from "./no-sheet";
import { SheetView } from "./sheet-view";
import { SkipDialog } from "./skip-dialog";
import { StatusLine } from "./status-line";
import { useJudging } from "./use-judging";

export function JudgingPage() {
  const project = useProject();
  const { data: session } = useSuspenseQuery(sessionQuery);
  useTitle("Judge", project.name);
  const judging = useJudging(project, session.user?.public_id ?? "");
  const { desk, state, sheet, commands, panel, close } = judging;
  useCommands(commands);

  if (state.loadError !== null && sheet === null) {
    return <ErrorState level={1} error={state.loadError} onRetry={() => void desk.open()} />;
  }
  return (
    <div className={classNames(styles["page"], judging.guidelinesOpen && styles["withPanel"])}>
      <div className={styles["work"]}>
        <StatusLine state={state} commands={commands} />
        {sheet && <SheetView key={sheet.id} sheet={sheet} labels={project.labels} judging={judging} />}
        {!sheet && state.loading && <Skeleton lines={6} height={2} />}
        {!sheet && !state.loading && <NoSheet desk={desk} state={state} commands={commands} />}
      </div>
      {judging.guidelinesOpen && (
        <GuidelinesPanel
          html={project.guidelines_html}
          seen={judging.guidelinesSeen}
          closeKey={printedKey(commands, "guidelines")}
          onClose={judging.closeGuidelines}
        />
      )}
      {sheet && panel === "skip" && <SkipDialog onClose={close} onSkip={judging.skip} />}
      {sheet && panel === "flag" && (
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
