/** One line on where the rater stands: how far, how long, and whether everything is saved. */
import type { Progress } from "../../api/contract";
import { Button } from "../../components/button";
import type { Command } from "../../lib/commands";
import { plural, t } from "../../lib/i18n/t";
import { formatCount } from "../../lib/numbers";
import { formatDuration } from "../../lib/time";
import { type DeskState, savedWords } from "./desk-state";
import { printedKey } from "./judging-commands";
import styles from "./status-line.module.css";

/** Sheets on their way count as judged: the rater is done with them. */
function placeWords(progress: Progress, waiting: number): string {
  const total = progress.judged_questions + progress.left_questions;
  const place = Math.min(total, progress.judged_questions + waiting + 1);
  return t("Question {place} of {total}", { place: formatCount(place), total: formatCount(total) });
}

function timeWords({ left_questions, median_seconds }: Progress, waiting: number): string | null {
  const left = left_questions - waiting;
  if (median_seconds === null || left < 1) return null;
  return t("about {duration} left", { duration: formatDuration(left * median_seconds) });
}

function wordsToHear(state: DeskState): string {
  const { progress, waiting, trouble, sheets } = state;
  if (trouble) return savedWords(state);
  if (!progress || !sheets[0]) return "";
  return `${placeWords(progress, waiting)}, ${plural(sheets[0].answers.length, "{count} answer", "{count} answers")}`;
}

interface StatusLineProps {
  readonly state: DeskState;
  readonly commands: readonly Command[];
  readonly isPreview?: boolean;
}

export function StatusLine({ state, commands, isPreview = false }: StatusLineProps) {
  const { progress, waiting, sheets } = state;
  const time = progress && timeWords(progress, waiting);
  const help = commands.find((command) => command.id === "help");
  return (
    <div className={styles["line"]}>
      <p className={styles["words"]}>
        {progress && sheets.length > 0 && <span className="number">{placeWords(progress, waiting)}</span>}
        {time && sheets.length > 0 && <span className={styles["soft"]}>{time}</span>}
        {progress && (
          <span className={state.trouble ? styles["trouble"] : styles["soft"]}>
            {isPreview ? "nothing is stored" : savedWords(state)}
          </span>
        )}
      </p>
      {/* Where one is and any trouble are read out; "saved" after every sheet would drown the questions. */}
      <p className="visually-hidden" role="status">
        {wordsToHear(state)}
      </p>
      <Button variant="quiet" size="small" hint={printedKey(commands, "help")} onClick={help?.run}>
        {t("Keys")}
      </Button>
    </div>
  );
}
