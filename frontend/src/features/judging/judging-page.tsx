/** The page where answers are judged: a question, its answers, one key a label. */
import { useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { ProjectDetail } from "../../api/schema";
import { ApiError, messageOf } from "../../api/error";
import { useProject } from "../../api/project";
import { sessionQuery } from "../../api/session";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { HelpSheet } from "../../components/help-sheet";
import { Page, PageHeader, useTitle } from "../../components/page";
import { EmptyState, ErrorState, Skeleton } from "../../components/query-view";
import type { Command } from "../../lib/commands";
import { plural, t } from "../../lib/i18n/t";
import { formatCount } from "../../lib/numbers";
import { formatDuration } from "../../lib/time";
import { useCommands } from "../../lib/use-commands";
import { type Desk, type DeskState, savedWords } from "./desk";
import { GuidelinesPanel, GuidelinesReading } from "./guidelines";
import { isHelp, printedKey } from "./judging-commands";
import { placeIn, secondsLeft } from "./outlook";
import styles from "./judging-page.module.css";
import { FlagDialog, SkipDialog } from "./sheet-dialogs";
import { NoticeLine, SheetView } from "./sheet-view";
import { Training } from "./training";
import { type Judging, useJudging, useServerDesk } from "./use-judging";

export function JudgingPage() {
  const project = useProject();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const desk = useServerDesk(project.slug, session.user?.public_id ?? "");
  useTitle(t("Judge answers"), project.name);
  return <JudgingDesk project={project} desk={desk} />;
}

interface JudgingDeskProps {
  readonly project: ProjectDetail;
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
    return (
      <Page>
        <PageHeader title={t("Judge answers")} />
        <ErrorState error={state.loadError} onRetry={() => void desk.open()} />
      </Page>
    );
  }
  return (
    <div className={styles["page"]}>
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
        <Dialog title="Flag question" onClose={close}>
          <p>Annotators can report problems with a question here. The preview does not save flags.</p>
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
      {panel === "help" && <HelpSheet commands={commands} onClose={close} onChange={judging.rereadKeys} />}
    </div>
  );
}

function isTrainingDue({ loadError }: DeskState): boolean {
  return loadError instanceof ApiError && loadError.code === "training_due";
}

interface DesktopProps {
  readonly project: ProjectDetail;
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

interface NoSheetProps {
  readonly desk: Desk;
  readonly state: DeskState;
  readonly commands: readonly Command[];
}

function NoSheet({ desk, state, commands }: NoSheetProps) {
  if (state.trouble) return <Stuck desk={desk} state={state} />;
  if (state.waiting > 0 || !state.nothingLeft) return <Skeleton lines={6} height={2} />;
  if (state.inPilot) return <PilotDone desk={desk} state={state} commands={commands} />;
  const judged = state.progress?.judged_questions ?? 0;
  return (
    <>
      <NoticeLine notice={state.notice} onClose={() => desk.dismissNotice()} />
      <EmptyState
        level={1}
        title={judged > 0 ? t("Nothing left to judge") : t("Nothing to judge yet")}
        action={<Acts desk={desk} commands={commands} />}
      >
        {judged > 0 && (
          <p>
            {t("You judged {answers} to {questions}. Everything is saved. Thank you.", {
              questions: plural(judged, "{count} question", "{count} questions"),
              answers: plural(state.progress?.judged_answers ?? 0, "{count} answer", "{count} answers"),
            })}
          </p>
        )}
        {judged > 0 && judged < (state.outlook?.total ?? 0) && (
          <p>{t("The other questions no longer need your judgment.")}</p>
        )}
        <p>
          {t(
            "You may get more work later, for example, if an answer needs another vote or if another annotator does not finish a question.",
          )}
        </p>
      </EmptyState>
    </>
  );
}

function PilotDone({ desk, state, commands }: NoSheetProps) {
  return (
    <>
      <NoticeLine notice={state.notice} onClose={() => desk.dismissNotice()} />
      <EmptyState
        level={1}
        title={t("Nothing left in the pilot")}
        action={<Acts desk={desk} commands={commands} />}
      >
        <p>
          {t(
            "In the pilot, all annotators judge the same questions. The lead is now reviewing where they disagree. Regular work starts when the lead ends the pilot.",
          )}
        </p>
      </EmptyState>
    </>
  );
}

function Acts({ desk, commands }: Pick<NoSheetProps, "desk" | "commands">) {
  const undo = commands.find((command) => command.id === "undo");
  return (
    <>
      <Button variant="primary" onClick={() => void desk.refill()}>
        {t("Check again")}
      </Button>
      <Button hint={printedKey(commands, "undo")} disabled={!undo?.when?.()} onClick={undo?.run}>
        {t("Undo last submission")}
      </Button>
    </>
  );
}

function Stuck({ desk, state }: Pick<NoSheetProps, "desk" | "state">) {
  const signedOut = state.trouble?.kind === "signed_out";
  return (
    <EmptyState
      level={1}
      title={signedOut ? t("You are signed out") : t("Your work is saved in this browser")}
      action={
        signedOut ? (
          <Link to="/sign-in" search={{ next: window.location.pathname }}>
            {t("Sign in and continue")}
          </Link>
        ) : (
          <Button variant="primary" onClick={() => void desk.open()}>
            {t("Try now")}
          </Button>
        )
      }
    >
      <p>{state.trouble && messageOf(state.trouble)}</p>
      {state.waiting > 0 && (
        <p>
          {plural(
            state.waiting,
            "{count} question is saved in this browser and will be sent automatically as soon as possible. You can close the page and come back here.",
            "{count} questions are saved in this browser and will be sent automatically as soon as possible. You can close the page and come back here.",
          )}
        </p>
      )}
    </EmptyState>
  );
}

function placeWords({ outlook, progress, waiting }: DeskState): string {
  if (!outlook || !progress) return "";
  const place = placeIn(outlook, progress, waiting);
  return t("Question {place} of up to {total}", {
    place: formatCount(place),
    total: formatCount(outlook.total),
  });
}

function timeWords({ outlook, progress, waiting }: DeskState): string {
  const seconds = outlook && progress && secondsLeft(outlook, progress, waiting);
  return seconds === null ? "" : t("up to {duration} left", { duration: formatDuration(seconds) });
}

function wordsToHear(state: DeskState): string {
  const { progress, trouble, sheets } = state;
  if (trouble) return savedWords(state);
  if (!progress || !sheets[0]) return "";
  return `${placeWords(state)}, ${plural(sheets[0].answers.length, "{count} answer", "{count} answers")}`;
}

interface StatusLineProps {
  readonly state: DeskState;
  readonly commands: readonly Command[];
  readonly isPreview?: boolean;
}

function StatusLine({ state, commands, isPreview = false }: StatusLineProps) {
  const { progress, sheets } = state;
  const time = timeWords(state);
  const help = commands.find((command) => command.id === "help");
  return (
    <div className={styles["line"]}>
      <p className={styles["words"]}>
        {progress && sheets.length > 0 && <span className="number">{placeWords(state)}</span>}
        {time && sheets.length > 0 && <span className="ink-soft">{time}</span>}
        {progress && (
          <span className={state.trouble ? styles["trouble"] : "ink-soft"}>
            {isPreview ? "nothing is saved" : savedWords(state)}
          </span>
        )}
      </p>
      {/* Where one is and any trouble are read out; that work is saved, after every sheet, would drown the questions. */}
      <p className="visually-hidden" role="status">
        {wordsToHear(state)}
      </p>
      <Button
        variant="quiet"
        size="small"
        className="needs-keyboard"
        hint={printedKey(commands, "help")}
        onClick={help?.run}
      >
        {t("Keyboard shortcuts")}
      </Button>
    </div>
  );
}
