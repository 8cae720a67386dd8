/** A term of art that explains itself in the words of the glossary; the first time it stands on a page. */
import type { ReactNode } from "react";
import { ANNOTATORS_TERMS } from "../api/annotators-terms";
import { TERMS } from "../api/terms";
import { type Explanation, Word } from "./tip";

const ALL = { ...ANNOTATORS_TERMS, ...TERMS };

type TermName = keyof typeof ALL;

interface TermProps {
  readonly name: TermName;
  readonly children: ReactNode;
}

export function Term({ name, children }: TermProps) {
  return <Word {...ALL[name]}>{children}</Word>;
}

/** What a term means, for the heading of a column or the label of a field. */
export function explained(name: TermName): Explanation {
  return ALL[name];
}
