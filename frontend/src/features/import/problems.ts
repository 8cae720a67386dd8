/** Problems of an import, gathered by cause so that a thousand equal lines read as one. */
import type { ImportProblem } from "../../api/contract";

export interface Cause {
  readonly code: string;
  readonly severity: ImportProblem["severity"];
  readonly file: string;
  readonly message: string;
  readonly lines: readonly number[];
  readonly count: number;
}

/** Causes in the order in which they first appear, those that stop the import first. */
export function causesOf(problems: readonly ImportProblem[]): Cause[] {
  const causes = new Map<string, { first: ImportProblem; lines: number[]; count: number }>();
  for (const problem of problems) {
    const key = `${problem.severity}|${problem.file}|${problem.code}`;
    const cause = causes.get(key) ?? { first: problem, lines: [], count: 0 };
    if (problem.line) cause.lines.push(problem.line);
    causes.set(key, { ...cause, count: cause.count + 1 });
  }
  const found = [...causes.values()].map(({ first, lines, count }) => ({
    code: first.code,
    severity: first.severity,
    file: first.file,
    message: first.message,
    lines,
    count,
  }));
  return [...found.filter(isStopping), ...found.filter((cause) => !isStopping(cause))];
}

function isStopping(cause: { severity: string }): boolean {
  return cause.severity === "error";
}

/** Line numbers as people write them, runs joined: "3, 7–9 and 12 more". */
export function lineWords(lines: readonly number[], most = 6): string {
  const runs: [number, number][] = [];
  for (const line of [...new Set(lines)].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last && line === last[1] + 1) last[1] = line;
    else runs.push([line, line]);
  }
  const shown = runs.slice(0, most).map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`));
  const hidden = runs.slice(most).reduce((sum, [from, to]) => sum + to - from + 1, 0);
  return hidden > 0 ? `${shown.join(", ")} and ${hidden} more` : shown.join(", ");
}
