/** A judge's options in words: what each is called and what its values mean; programs go by the codes. */
import type { Run } from "../../api/schema";
import { labelName } from "../../domain/labels";
import { parserName } from "../../domain/parsers";
import { formatCount } from "../../lib/numbers";

interface OptionWords {
  readonly label: string;
  /** What values are called that do not say it themselves. */
  readonly values?: Readonly<Record<string, string>>;
}

const OPTIONS: Readonly<Record<string, OptionWords>> = {
  gold: { label: "Gold answers", values: { original: "As imported", amended: "As amended by people" } },
  threshold: { label: "Threshold" },
  match: {
    label: "Match",
    values: { contained: "Answer contains a gold answer", equal: "Answer equals a gold answer" },
  },
  empty_gold: {
    label: "Gold answers without words",
    values: { refuse: "Leave out", match: "Match every answer" },
  },
  split: {
    label: "Separator between gold answers",
    values: { none: "None", slash: "Slash (/)" },
  },
  anchored: { label: "Match the whole answer" },
  synonyms: {
    label: "Synonyms",
    values: { on: "All", off: "None", "on-except-boolean": "All except synonyms of “yes” and “no”" },
  },
  stretch_threshold: { label: "Threshold for a part of an answer" },
  beside: { label: "Other judge" },
  model: { label: "Model" },
  layer: { label: "Model layers", values: { "-1": "All" } },
  idf: { label: "Give rare words more weight" },
  runtime: { label: "Runtime", values: { torch: "PyTorch", onnx: "ONNX Runtime" } },
  prompt: { label: "Prompt" },
  parser: {
    label: "Reply format",
    values: {
      auto: "As the prompt specifies",
      column: "Use the yes/no column of the imported file",
      probability: "Largest P(yes)",
    },
  },
  temperature: { label: "Temperature" },
  max_tokens: { label: "Maximum tokens per reply" },
  repeats: { label: "Calls per answer" },
  shuffle_golds: { label: "Shuffle gold answers" },
  seed: { label: "Seed" },
  logprobs: { label: "Request P(yes)" },
  examples_project: { label: "Project with examples" },
  examples_system: { label: "System with examples" },
  members: { label: "Judges to combine" },
  rule: {
    label: "Decision rule",
    values: {
      any: "Any of the judges accepts",
      all: "All of the judges accept",
      majority: "More than half of the judges accept",
      first_decided: "First verdict",
    },
  },
};

/** The option's name, for a label; one of a judge from another package goes by its own. */
export function optionLabel(name: string): string {
  return OPTIONS[name]?.label ?? labelName(name);
}

/** What a value means, in words. */
export function optionValue(name: string, value: unknown): string {
  if (typeof value === "boolean") return value ? "Yes" : "No";
  const text = String(value);
  const known = OPTIONS[name]?.values?.[text];
  if (known) return known;
  if (name === "parser") return parserName(text);
  return name === "max_tokens" && typeof value === "number" ? formatCount(value) : text;
}

/** A run's options; those on a jury by their names. */
export function optionWords({ options, members }: Pick<Run, "options" | "members">): string {
  const named = members.length > 0 ? { ...options, members: members.join(", ") } : options;
  return Object.entries(named)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `${optionLabel(name)}: ${optionValue(name, value)}`)
    .join(" · ");
}
