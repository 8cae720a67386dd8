/** A term that annotators meet, explained in their language; pages of leads have `Term`. */
import type { ReactNode } from "react";
import { ANNOTATORS_TERMS } from "../api/annotators-terms";
import { t } from "../lib/i18n/t";
import { Word } from "./tip";

interface AnnotatorsTermProps {
  readonly name: keyof typeof ANNOTATORS_TERMS;
  readonly children: ReactNode;
}

export function AnnotatorsTerm({ name, children }: AnnotatorsTermProps) {
  const { about, see } = ANNOTATORS_TERMS[name];
  return (
    <Word about={t(about)} see={see}>
      {children}
    </Word>
  );
}
