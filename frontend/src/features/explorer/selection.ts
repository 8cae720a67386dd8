/** Which answers are selected, as they were seen; they stay so from page to page. */
import { useState } from "react";
import type { AnswerLine } from "../../api/schema";

export interface Selection {
  readonly lines: readonly AnswerLine[];
  readonly has: (line: AnswerLine) => boolean;
  /** Selects all of them or, where all are selected, none of them. */
  readonly toggle: (lines: readonly AnswerLine[]) => void;
  readonly clear: () => void;
}

export function useSelection(): Selection {
  const [lines, setLines] = useState<readonly AnswerLine[]>([]);
  const has = ({ id }: AnswerLine) => lines.some((line) => line.id === id);
  const toggle = (some: readonly AnswerLine[]) => {
    const ids = new Set(some.map(({ id }) => id));
    const others = lines.filter(({ id }) => !ids.has(id));
    setLines(some.every(has) ? others : [...others, ...some]);
  };
  return { lines, has, toggle, clear: () => setLines([]) };
}
