/** Over which answers judges stand beside people: all decided ones, or those that every judge has judged. */
import type { JudgeBoardRow } from "../../../api/schema";
import { SegmentedControl } from "../../../components/segmented-control";
import { countOf } from "../../../lib/numbers";
import type { SearchState } from "../../../lib/search-state";
import { rowsOf, Soft } from "../beside-columns";
import styles from "./board.module.css";

const CHOICES = [
  { value: "all", name: "All decided" },
  { value: "common", name: "Judged by every judge" },
] as const;

interface CommonChoiceProps {
  readonly rows: readonly JudgeBoardRow[];
  readonly common: boolean;
  readonly write: SearchState["write"];
}

/** Nothing to choose where no judge left out an answer. */
export function CommonChoice({ rows, common, write }: CommonChoiceProps) {
  const judges = rows.filter(({ kind }) => kind === "judge");
  if (!common && judges.every(({ counts }) => counts["unscored"] === 0)) return null;
  return (
    <div className={styles["choices"]}>
      <SegmentedControl
        label="Answers"
        value={common ? "common" : "all"}
        options={CHOICES}
        onChange={(next) => write({ answers: next === "all" ? undefined : next })}
      />
      {common && <Soft>{commonWords(judges[0])}</Soft>}
    </div>
  );
}

function commonWords(judge: JudgeBoardRow | undefined): string {
  if (!judge) return "There is no answer that every judge has judged.";
  return `Each judge and its parts are over the ${countOf(rowsOf(judge), "answer")} that every judge has judged. Rankings, scores, pairs and the lists behind errors stay those of all answers.`;
}
