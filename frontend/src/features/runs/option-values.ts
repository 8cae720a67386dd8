/** What was typed into a judge's form, as the values its description asks for. */
import type { Judge, JudgeOption } from "../../api/contract";

export type OptionKind = "boolean" | "choice" | "number" | "text";

export function kindOf(option: JudgeOption): OptionKind {
  if (option.choices !== null && option.choices.length > 0) return "choice";
  if (/^bool/.test(option.type)) return "boolean";
  return /^(?:int|float|number)/.test(option.type) ? "number" : "text";
}

/** The help, with the numbers that will be taken. */
export function hintOf({ help, low, high }: JudgeOption): string {
  return low === null || high === null ? help : `${help} From ${String(low)} to ${String(high)}.`;
}

function textOf(value: unknown): string {
  return value === null || value === undefined ? "" : String(value);
}

export function defaultsOf(judge: Judge): Readonly<Record<string, string>> {
  return Object.fromEntries(judge.options.map((option) => [option.name, textOf(option.default)]));
}

function valueOf(option: JudgeOption, text: string): unknown {
  const kind = kindOf(option);
  if (kind === "boolean") return text === "true";
  if (kind === "number" && text.trim() !== "" && Number.isFinite(Number(text))) return Number(text);
  return text;
}

/** Only what differs from the default is sent, so that defaults stay the judge's own. */
export function valuesOf(judge: Judge, texts: Readonly<Record<string, string>>): Record<string, unknown> {
  const defaults = defaultsOf(judge);
  const changed = judge.options.filter(
    ({ name }) => texts[name] !== undefined && texts[name] !== defaults[name],
  );
  return Object.fromEntries(
    changed.map((option) => [option.name, valueOf(option, texts[option.name] ?? "")]),
  );
}
