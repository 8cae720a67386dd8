/** The states of an import in words. */
import type { Import, ImportCause, Setup } from "../../api/schema";
import type { Tone } from "../../components/badge";
import { countOf, formatCount } from "../../lib/numbers";
import { askedBy } from "./warnings";

interface StateWords {
  readonly words: string;
  readonly tone: Tone;
}

export const STATES: Readonly<Record<Import["state"], StateWords>> = {
  checking: { words: "Checking", tone: "accent" },
  ready: { words: "Ready to import", tone: "warning" },
  refused: { words: "Rejected", tone: "danger" },
  applying: { words: "Importing", tone: "accent" },
  applied: { words: "Imported", tone: "success" },
  failed: { words: "Failed", tone: "danger" },
  undoing: { words: "Undoing", tone: "accent" },
  undone: { words: "Undone", tone: "neutral" },
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
  questions_known: ["previously imported question", "previously imported questions"],
  gold_answers: ["gold answer", "gold answers"],
  systems: ["system", "systems"],
  predictions: ["system answer", "system answers"],
  answers_cleaned: ["cleaned answer", "cleaned answers"],
  passages: ["passage given with a question", "passages given with questions"],
  passages_known: ["previously imported passage", "previously imported passages"],
  passages_retrieved: ["passage retrieved by a system", "passages retrieved by systems"],
  answers: ["distinct answer", "distinct answers"],
  answers_known: ["previously imported answer", "previously imported answers"],
  answers_inherited: ["previously decided answer", "previously decided answers"],
  answers_to_judge: ["answer to judge", "answers to judge"],
  improper_questions: ["question excluded from scores", "questions excluded from scores"],
  votes: ["vote", "votes"],
  raters: ["annotator", "annotators"],
  decisions: ["decision", "decisions"],
  verdicts: ["verdict", "verdicts"],
  verdicts_matched: ["verdict on an imported answer", "verdicts on imported answers"],
};

/** What says nothing new where it is all of something else. */
const SAID_BY_ALL: Readonly<Record<string, string>> = {
  answers_to_judge: "answers",
  verdicts_matched: "verdicts",
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
    .filter(([key, count]) => count > 0 && count !== counts[SAID_BY_ALL[key] ?? ""])
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

/** The heading of one import: its file, or how many there are. */
export function titleOf({ files }: Pick<Import, "files">): string {
  return files.length > 1 ? `Import of ${countOf(files.length, "file")}` : fileWords(files);
}

/** The heading of the first rows, of which the last of many files have none. */
export function firstRowsWords({ files, sample }: Pick<Import, "files" | "sample">): string {
  if (files.length === 1) return "First rows";
  const shown = new Set(sample.map((row) => row["file"])).size;
  return shown === files.length ? "First rows of each file" : "Example rows";
}

/** The counts in one line, for a list. */
export function countWords(counts: Readonly<Record<string, number>>): string {
  return countsOf(counts)
    .map(({ value, name }) => `${value} ${name}`)
    .join(" · ");
}

const READY = "Ready to import. Nothing has been saved yet.";

/** Whoever expected fewer questions need not fear to judge all of them. */
const CHOSEN_LATER = "After the import, you choose which questions people judge.";

/** Why fewer answers are judged than systems gave; nothing where each gave its own. */
export function pooledWords(counts: Readonly<Record<string, number>>): string {
  const { predictions = 0, answers = 0, answers_known: known = 0 } = counts;
  if (answers === 0 || predictions <= answers) return "";
  return `Matching answers to a question are judged once${known > 0 ? `, which leaves ${countOf(answers, "new distinct answer")}` : ""}.`;
}

/** What stands over the check's result. */
export function verdictOf(found: Import): {
  readonly tone: "success" | "warning" | "danger";
  readonly words: string;
} {
  if (found.state === "refused" && found.problem_count === 0) {
    return {
      tone: "warning",
      words: "The file check did not finish. Nothing was saved. Check the files again.",
    };
  }
  if (found.state === "refused") {
    return {
      tone: "danger",
      words: "These files cannot be imported. Nothing was saved. Fix the problems below and try again.",
    };
  }
  const needsSomebody = groupCauses(found.causes, found.rows_total).some(
    (group) => askedBy(group) === "check",
  );
  const next = (found.counts["questions"] ?? 0) > 0 ? ` ${CHOSEN_LATER}` : "";
  return { tone: needsSomebody ? "warning" : "success", words: `${READY}${next}` };
}

/** What is wrong for one reason, in whatever files: the first of it, and how often it stands in each. */
export interface CauseGroup {
  readonly first: ImportCause;
  readonly files: readonly ImportCause[];
  readonly count: number;
  /** Whether it concerns so few of the rows that it changes little. */
  readonly isRare: boolean;
}

/** At most every twentieth. */
const RARE = 1 / 20;

/** Errors first, then what concerns whole files: it is seldom, and easily lost among single lines. */
export function groupCauses(causes: readonly ImportCause[], rows = 0): readonly CauseGroup[] {
  const groups = new Map<string, ImportCause[]>();
  for (const cause of causes) {
    const key = `${cause.severity} ${cause.code}`;
    groups.set(key, [...(groups.get(key) ?? []), cause]);
  }
  const place = ({ severity, lines }: ImportCause) =>
    (severity === "error" ? 0 : 2) + (lines.length === 0 ? 0 : 1);
  return [...groups.values()]
    .flatMap((files) => {
      const count = files.reduce((sum, cause) => sum + cause.count, 0);
      return files[0] ? [{ first: files[0], files, count, isRare: count <= rows * RARE }] : [];
    })
    .sort((one, other) => place(one.first) - place(other.first));
}

/** Where the problems of one cause are in its file: "a.jsonl, lines 3, 7 and 12 more"; "" for all files together. */
export function placeWords({ file, lines, count }: ImportCause): string {
  const where = `${lines.length === 1 ? "line" : "lines"} ${lineWords(lines, count)}`;
  return [file, lines.length > 0 && where].filter(Boolean).join(", ");
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

/** What follows once an import is in. */
export function nextStepOf(setup: Setup): {
  readonly page: string;
  readonly act: string;
  readonly words: string;
} {
  const { questions, coverage, sample_method: method } = setup;
  if (coverage.systems === 0) {
    return {
      page: "import",
      act: "Import system answers",
      words: "Next, import the systems’ answers to these questions.",
    };
  }
  if (method === "all") {
    return {
      page: "sample",
      act: "Choose questions to judge",
      words: `Next, choose which of the ${countOf(questions, "question")} people should judge.`,
    };
  }
  return {
    page: "overview",
    act: "Go to overview",
    words: "Next, check the overview for the remaining steps.",
  };
}
