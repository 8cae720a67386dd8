/** The states of an import in words. */
import type { Import } from "../../api/schema";
import type { Tone } from "../../components/badge";
import { countOf, formatCount } from "../../lib/numbers";

interface StateWords {
  readonly words: string;
  readonly tone: Tone;
}

export const STATES: Readonly<Record<Import["state"], StateWords>> = {
  checking: { words: "Checking", tone: "accent" },
  ready: { words: "Ready to import", tone: "warning" },
  refused: { words: "Refused", tone: "danger" },
  applying: { words: "Importing", tone: "accent" },
  applied: { words: "Imported", tone: "success" },
  failed: { words: "Failed", tone: "danger" },
  undoing: { words: "Undoing", tone: "accent" },
  undone: { words: "Taken back", tone: "neutral" },
};

export function isInWork(found: Pick<Import, "state">): boolean {
  return found.state === "checking" || found.state === "applying" || found.state === "undoing";
}

/** Whether the import can still be read anew with other options. */
export function canBeRead(found: Pick<Import, "state">): boolean {
  return found.state === "ready" || found.state === "refused";
}

const NAMES: Readonly<Record<string, [string, string]>> = {
  questions: ["question", "questions"],
  gold_answers: ["gold answer", "gold answers"],
  systems: ["system", "systems"],
  predictions: ["system answer", "system answers"],
  answers_cleaned: ["cleaned answer", "cleaned answers"],
  answers: ["distinct answer", "distinct answers"],
  answers_to_judge: ["answer still to judge", "answers still to judge"],
  improper_questions: ["question out of the scores", "questions out of the scores"],
  votes: ["vote", "votes"],
  raters: ["rater", "raters"],
  decisions: ["decision", "decisions"],
  verdicts: ["verdict", "verdicts"],
};

interface Count {
  readonly key: string;
  readonly value: string;
  readonly name: string;
}

/** Where a count stands: what files hold first, what was found about it after. */
function placeOf(key: string): number {
  const place = Object.keys(NAMES).indexOf(key);
  return place < 0 ? Number.MAX_SAFE_INTEGER : place;
}

export function countsOf(counts: Readonly<Record<string, number>>): Count[] {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .sort(([left], [right]) => placeOf(left) - placeOf(right))
    .map(([key, count]) => {
      const [one, many] = NAMES[key] ?? [key.replaceAll("_", " "), key.replaceAll("_", " ")];
      return { key, value: formatCount(count), name: count === 1 ? one : many };
    });
}

const NAMED_FILES = 3;

/** The files of an import, the first few by name. */
export function fileWords(files: readonly { readonly name: string }[]): string {
  const names = files.slice(0, NAMED_FILES).map(({ name }) => name);
  const more = files.length - names.length;
  return more > 0 ? `${names.join(", ")} and ${formatCount(more)} more` : names.join(", ");
}

/** The counts in one line, for a list. */
export function countWords(counts: Readonly<Record<string, number>>): string {
  return countsOf(counts)
    .map(({ value, name }) => `${value} ${name}`)
    .join(" · ");
}

/** What stands over the check's result. */
export function verdictOf(found: Import): {
  readonly tone: "success" | "warning" | "danger";
  readonly words: string;
} {
  if (found.state === "refused" && found.problem_count === 0) {
    return { tone: "warning", words: "The files were not checked to the end. Nothing was stored." };
  }
  if (found.state === "refused") {
    return { tone: "danger", words: "These files cannot be imported as they are. Nothing was stored." };
  }
  if (found.problem_count > 0) {
    return {
      tone: "warning",
      words: `The files can be imported; ${countOf(found.problem_count, "remark")} below. Nothing is stored yet.`,
    };
  }
  return { tone: "success", words: "The files can be imported. Nothing is stored yet." };
}

/** Line numbers as people write them, runs joined: "3, 7–9 and 12 more"; `count`: how many there are in all. */
export function lineWords(lines: readonly number[], count = lines.length, most = 6): string {
  const runs: [number, number][] = [];
  for (const line of [...new Set(lines)].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last && line === last[1] + 1) last[1] = line;
    else runs.push([line, line]);
  }
  const shown = runs.slice(0, most).map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`));
  const unnamed = Math.max(0, count - lines.length);
  const hidden = runs.slice(most).reduce((sum, [from, to]) => sum + to - from + 1, unnamed);
  return hidden > 0 ? `${shown.join(", ")} and ${hidden} more` : shown.join(", ");
}
