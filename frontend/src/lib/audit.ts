/** Who spoke where programs settled answers, below figures of judges beside people. */
import { countOf } from "./numbers";

interface Spoken {
  /** Answers of the audit stand for those they were drawn among. */
  readonly weighed: boolean;
  /** Of how many answers that programs settled the figures say nothing. */
  readonly left_out: number;
}

/** What the figures do not speak of, while nobody has checked what programs settled. */
export function leftOutWords({ left_out }: Pick<Spoken, "left_out">): string {
  if (left_out === 0) return "";
  return `Programs settled ${countOf(left_out, "answer")} of which these figures say nothing: people have checked none like them yet.`;
}

export function weightWords({ weighed }: Pick<Spoken, "weighed">): string {
  return weighed
    ? "Programs settled the others: each answer drawn for the audit stands for those it was drawn among."
    : "";
}

/** Both, with who decided; empty where people decided all that is decided. */
export function spokenWords(spoken: Spoken): string {
  const words = [leftOutWords(spoken), weightWords(spoken)].filter((each) => each !== "");
  return words.length === 0 ? "" : ["Only answers that people decided count.", ...words].join(" ");
}
