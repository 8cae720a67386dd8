/** The parts of a protocol that more than one page shows: how texts are cleaned, and what versions say. */
import type { ProjectDetail } from "../api/schema";
import { Choice } from "../components/form";
import { t } from "../lib/i18n/t";
import { isRecord } from "../lib/storage";

type Cleaning = ProjectDetail["cleaning"];

/** By value: what it is called, and by what it is chosen where that says more. */
const CLEANINGS = [
  {
    value: "none",
    name: "None: judge answers as imported",
    choice: "None: judge answers as imported (recommended)",
  },
  {
    value: "chat",
    name: "Chat formatting and filler: bold text, citation numbers, greetings, offers of help, source lists",
    choice:
      "Chat formatting and filler: bold text, citation numbers, greetings, offers of help, source lists",
  },
] as const satisfies readonly { readonly value: Cleaning; readonly name: string; readonly choice: string }[];

export function cleaningName(value: Cleaning): string {
  const found = CLEANINGS.find((option) => option.value === value);
  return found ? t(found.name) : value;
}

interface CleaningSelectProps {
  readonly value: Cleaning;
  readonly onChange: (cleaning: Cleaning) => void;
}

export function CleaningSelect({ value, onChange }: CleaningSelectProps) {
  return (
    <Choice
      label={t("Cleanup before judging")}
      hint={t(
        "Removes text that chat models add around an answer. Original answers are kept and shown. You cannot change this setting after you import answers.",
      )}
      value={value}
      options={CLEANINGS.map(({ value: key, choice }) => ({ value: key, name: t(choice) }))}
      onChange={onChange}
    />
  );
}

interface Fact {
  readonly name: string;
  readonly words: string;
}

function labelNames(spec: Readonly<Record<string, unknown>>): string {
  const labels = Array.isArray(spec["labels"]) ? spec["labels"] : [];
  return labels.map((label: unknown) => (isRecord(label) ? String(label["name"]) : "")).join(" · ");
}

const TIE_BREAK_WORDS: Readonly<Record<string, string>> = {
  third_rater: "if they disagree, one more annotator judges it",
  more_raters: "if they disagree, more annotators are asked one at a time",
  lead: "if they disagree, a lead or an adjudicator decides",
  nobody: "the decision rule applies to their votes",
};

export function raterWords(spec: Readonly<Record<string, unknown>>): string {
  const count = Number(spec["raters_per_answer"]);
  if (count === 1) return "One annotator judges each answer";
  const rest = TIE_BREAK_WORDS[String(spec["tie_break"])];
  return `${count} annotators judge each answer${rest ? `; ${rest}` : ""}`;
}

/** Whether more annotators are asked where the first disagree. */
export function asksMore(spec: Readonly<Record<string, unknown>>): boolean {
  return ["third_rater", "more_raters"].includes(String(spec["tie_break"]));
}

/** How many annotators there must be so that votes can settle every answer. */
export function annotatorsNeeded(spec: Readonly<Record<string, unknown>>): number {
  return Number(spec["raters_per_answer"]) + (asksMore(spec) ? 1 : 0);
}

function checkTexts(spec: Readonly<Record<string, unknown>>): string {
  const checks = Array.isArray(spec["question_checks"]) ? spec["question_checks"] : [];
  return checks.map((check: unknown) => (isRecord(check) ? String(check["text"]) : "")).join(" ");
}

const PASSAGES_SHOWN: Readonly<Record<string, string>> = {
  given: "Annotators see the passages given with the question",
  pooled: "Annotators see the passages given with the question and those that systems retrieved",
};

export function factsOf(spec: Readonly<Record<string, unknown>>): Fact[] {
  const facts = [
    { name: "Labels", words: labelNames(spec) },
    { name: "Annotators", words: raterWords(spec) },
    {
      name: "Gold answers",
      words: spec["gold_shown"] === true ? "Shown to annotators" : "Hidden from annotators",
    },
    { name: "Passages", words: PASSAGES_SHOWN[String(spec["passages_shown"])] ?? "" },
    { name: "Question checks", words: checkTexts(spec) },
  ];
  return facts.filter(({ words }) => words !== "");
}
