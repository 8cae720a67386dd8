/** What the check of files found, each cause in one line, and what it asks of whoever imports them. */
import type { Import, ImportCause } from "../../api/schema";
import { countOf, formatCount } from "../../lib/numbers";
import type { CauseGroup } from "./states";

/**
 * What is asked: to repair it, to look at it, to choose how it is read, or nothing; "offer": nothing, but there is
 * a setting that somebody may want otherwise.
 */
export type Asked = "repair" | "check" | "choose" | "offer" | "nothing";

const ORDER: readonly Asked[] = ["repair", "check", "choose", "offer", "nothing"];

/** By the code of a problem: the setting that changes what is done about it. */
const SETTING_BY_CODE: Readonly<Record<string, string>> = {
  common_prefix: "system_names",
  shortened_names: "system_names",
  list_prediction: "list_prediction",
  mojibake: "mojibake",
  not_utf8: "encoding",
  no_header: "header",
  several_lists: "rows_at",
  gold_separator_unclear: "gold_separator",
  choice_numbers_unclear: "choice_numbers",
  bad_pattern: "bad_rows",
  missing_pattern: "bad_rows",
  unknown_question: "bad_rows",
  missing_question: "bad_rows",
  gold_not_text: "bad_rows",
  too_many_golds: "bad_rows",
  id_too_long: "bad_rows",
  two_answers: "bad_rows",
  unknown_label: "labels",
  unclear_rating: "labels",
  several_choices: "choice",
  no_answer_in_header: "header_separator",
  no_question_in_header: "asked_question",
  respondents_numbered: "respondent_column",
};

/** Settings that stand at a value which suits most files. */
const WITH_RECOMMENDED_DEFAULT: ReadonlySet<string> = new Set([
  "system_names",
  "list_prediction",
  "mojibake",
]);

/** What takes nothing away and changes no score by itself, or is decided on the next page. */
const NOTES: ReadonlySet<string> = new Set([
  "answer_looks_missing",
  "empty_answers",
  "gold_differs",
  "mojibake",
  "repeated_row",
  "respondents_numbered",
  "shortened_names",
  "uneven_coverage",
  "vote_known",
]);

export function settingOf(code: string): string | undefined {
  return SETTING_BY_CODE[code];
}

export function isSettingOfProblems(name: string): boolean {
  return Object.values(SETTING_BY_CODE).includes(name);
}

export function hasRecommendedDefault(name: string): boolean {
  return WITH_RECOMMENDED_DEFAULT.has(name);
}

/** Pages shorten names, which commands leave as they are. */
const SUITING_PAGES: Readonly<Record<string, string>> = { system_names: "shortened" };

/** The choice that suits most files; undefined where none does. */
export function recommendedChoice(name: string, usual: string): string | undefined {
  return hasRecommendedDefault(name) ? (SUITING_PAGES[name] ?? usual) : undefined;
}

export function askedBy({ first: { severity, code }, isRare }: CauseGroup): Asked {
  if (severity === "error") return "repair";
  if (NOTES.has(code)) return settingOf(code) === undefined ? "nothing" : "offer";
  if (!hasRecommendedDefault(settingOf(code) ?? "")) return "check";
  return isRare ? "offer" : "choose";
}

/** Whether it can be left as it is: it stands among the notes. */
export function isNote(group: CauseGroup): boolean {
  return ["offer", "nothing"].includes(askedBy(group));
}

/** What needs somebody first, in the order in which it was found otherwise. */
export function inOrder(groups: readonly CauseGroup[]): CauseGroup[] {
  return groups.toSorted((one, other) => ORDER.indexOf(askedBy(one)) - ORDER.indexOf(askedBy(other)));
}

interface Amount {
  readonly count: number;
  readonly files: number;
  readonly options: Import["options"];
}

const of = (count: number, one: string, many: string) => `${formatCount(count)} ${count === 1 ? one : many}`;

const LIST_WORDS: Readonly<Record<string, string>> = {
  joined: "They are joined into one answer.",
  split: "Each is judged separately.",
};

const LINES: Readonly<Record<string, (amount: Amount) => string>> = {
  answer_looks_missing: ({ count }) =>
    of(
      count,
      "answer looks like a placeholder for a missing answer.",
      "answers look like placeholders for missing answers.",
    ),
  empty_answers: ({ files }) =>
    of(files, "file has", "files have") + " empty answers, which people also judge.",
  gold_differs: ({ count }) =>
    of(count, "row repeats", "rows repeat") +
    " a question with different gold answers. Each row is scored against its own.",
  list_prediction: ({ count, options }) =>
    `${of(count, "row lists", "rows list")} several predictions. ${LIST_WORDS[String(options["list_prediction"])] ?? "Only the first is judged."}`,
  mojibake: ({ count, options }) =>
    options["mojibake"] === "repair"
      ? of(count, "garbled text is repaired.", "garbled texts are repaired.")
      : of(
          count,
          "text looks garbled. It is imported unchanged, so automatic judges may reject a correct answer.",
          "texts look garbled. They are imported unchanged, so automatic judges may reject correct answers.",
        ),
  repeated_row: ({ count }) =>
    of(
      count,
      "row repeats an answer, which is imported only once.",
      "rows repeat answers. Each answer is imported only once.",
    ),
  rows_without_answer: ({ files }) => of(files, "file has", "files have") + " questions without an answer.",
  two_answers: ({ count }) =>
    of(count, "row gives", "rows give") + " a second answer, which is not imported.",
  unmatched_row: ({ count }) => of(count, "row matches", "rows match") + " no answer in this project.",
  vote_known: ({ count }) =>
    of(
      count,
      "vote was imported before and counts only once.",
      "votes were imported before and count only once.",
    ),
};

/** What is understood once one case of it is seen. */
const SHOWN_BY_EXAMPLE: ReadonlySet<string> = new Set(["gold_differs", "mojibake"]);

interface Told {
  readonly line: string;
  /** One case of it, with its place; "" where the line says enough. */
  readonly example: string;
  /** What the line leaves out of the first message; "" where it says all of it. */
  readonly rest: string;
}

/** A group in one line, in the page's words or by the first sentence of its first message. */
export function toldOf({ first, files, count }: CauseGroup, options: Import["options"]): Told {
  const own = LINES[first.code]?.({ count, files: files.length, options });
  const sentence = firstSentence(first.message);
  if (own !== undefined) {
    const isShown = SHOWN_BY_EXAMPLE.has(first.code);
    const rest = isShown ? first.message.slice(sentence.length).trim() : first.message;
    return {
      line: own,
      example: isShown ? `Example (${exampleWords(first)}): ${sentence}` : "",
      rest: count > 1 && rest !== "" ? `First case: ${rest}` : rest,
    };
  }
  const remainder = first.message.slice(sentence.length);
  // A list cut off from what it is a list of says nothing.
  const rest = remainder.startsWith(":") ? first.message : remainder.trim();
  const line = firstLine(first.message);
  return { line: count > 1 ? `${line} (${countOf(count, "time")})` : line, example: "", rest };
}

function exampleWords({ file, line }: ImportCause): string {
  return line ? `${file}, line ${formatCount(line)}` : file;
}

/** A message up to where its first sentence ends or begins to list names; what is quoted stays whole. */
export function firstSentence(message: string): string {
  return (
    /^(?:(?!“[^”]*\.”(?:\s+[A-Z]|$))“[^”]*”|[^.“:]|[.:](?!\s|$))*(?:“[^”]*\.”|\.)?/.exec(message)?.[0] ||
    message
  );
}

/** The first sentence of a message, with its period also where it is cut off from a list. */
export function firstLine(message: string): string {
  const sentence = firstSentence(message);
  return /\.”?$/.test(sentence) ? sentence : `${sentence}.`;
}

/** What there is to do about the warnings, in one line; nothing where there is nothing to do. */
export function askedWords(groups: readonly CauseGroup[]): string {
  const count = (asked: Asked) => groups.filter((group) => askedBy(group) === asked).length;
  const [checks, choices] = [count("check"), count("choose")];
  const parts = [
    checks > 0 && `${countOf(checks, "warning")} to check`,
    choices > 0 && `${countOf(choices, "setting")} that you can change`,
  ];
  const words = parts.filter(Boolean).join(", ");
  return words && `${words}.`;
}
