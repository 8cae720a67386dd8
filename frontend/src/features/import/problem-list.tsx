/** Problems by cause, each with its file, lines and reason. */
import { useState } from "react";
import type { ImportCause, ImportProblem } from "../../api/contract";
import { Badge } from "../../components/badge";
import { Button } from "../../components/button";
import { countOf, formatCount } from "../../lib/numbers";
import styles from "./import.module.css";
import { lineWords } from "./problems";

interface ProblemListProps {
  readonly problems: readonly ImportProblem[];
  /** All of them by cause, so that a thousand equal lines read as one and hide no other. */
  readonly causes: readonly ImportCause[];
  /** How many there are; the list holds the first ones. */
  readonly total: number;
}

export function ProblemList({ problems, causes, total }: ProblemListProps) {
  const [byLine, setByLine] = useState(false);
  return (
    <div className={styles["problems"]}>
      {byLine ? (
        <ol className={styles["list"]}>
          {problems.map((problem, index) => (
            <ProblemLine key={`${index} ${problem.file} ${problem.line}`} problem={problem} />
          ))}
        </ol>
      ) : (
        <ul className={styles["list"]}>
          {causes.map((cause) => (
            <CauseLine key={`${cause.severity} ${cause.file} ${cause.code}`} cause={cause} />
          ))}
        </ul>
      )}
      <div className={styles["actions"]}>
        <Button size="small" onClick={() => setByLine(!byLine)}>
          {byLine ? "Show by cause" : "Show line by line"}
        </Button>
        {byLine && total > problems.length && (
          <p className={styles["soft"]}>
            The first {formatCount(problems.length)} of {formatCount(total)}.
          </p>
        )}
      </div>
    </div>
  );
}

function CauseLine({ cause }: { readonly cause: ImportCause }) {
  return (
    <li className={styles["problem"]}>
      <Severity severity={cause.severity} />
      <div>
        <p>{cause.message}</p>
        <p className={styles["soft"]}>
          {cause.file}
          {cause.lines.length > 0 &&
            `, ${cause.lines.length === 1 ? "line" : "lines"} ${lineWords(cause.lines, cause.count)}`}
          {cause.count > 1 && ` (${countOf(cause.count, "time")}; the first is quoted)`}
        </p>
      </div>
    </li>
  );
}

function ProblemLine({ problem }: { readonly problem: ImportProblem }) {
  return (
    <li className={styles["problem"]}>
      <Severity severity={problem.severity} />
      <div>
        <p>{problem.message}</p>
        <p className={styles["soft"]}>
          {problem.file}
          {problem.line ? `, line ${formatCount(problem.line)}` : ""}
          {problem.column ? `, column “${problem.column}”` : ""}
        </p>
      </div>
    </li>
  );
}

function Severity({ severity }: Pick<ImportProblem, "severity">) {
  return severity === "error" ? <Badge tone="danger">Error</Badge> : <Badge tone="warning">Remark</Badge>;
}
