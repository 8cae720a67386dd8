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

/** Words of a text, each with the term that explains it. */
type Mentions = Readonly<Record<string, TermName>>;

interface TermsInProps {
  readonly text: string;
  readonly terms: Mentions;
}

/** A text in which the first mention of each of these words explains itself. */
export function TermsIn({ text, terms }: TermsInProps): ReactNode {
  const found = firstMention(text, Object.keys(terms));
  if (found === undefined) return text;
  const { [found.word]: name, ...others } = terms;
  const end = found.at + found.word.length;
  return (
    <>
      {text.slice(0, found.at)}
      {name && <Term name={name}>{found.word}</Term>}
      <TermsIn text={text.slice(end)} terms={others} />
    </>
  );
}

/** Of the words in a text the one that comes first, and of two there the longer one. */
function firstMention(text: string, words: readonly string[]) {
  return words
    .map((word) => ({ word, at: text.search(asWord(word)) }))
    .filter(({ at }) => at >= 0)
    .toSorted((one, other) => one.at - other.at || other.word.length - one.word.length)[0];
}

/** A word of a term, which is none of a pattern. */
function asWord(word: string): RegExp {
  return new RegExp(`(?<!\\p{L})${word}(?!\\p{L})`, "u");
}

/** Several texts that are read one after the other; in all of them, a word explains itself where it is first. */
export function withTerms(texts: readonly string[], terms: Mentions): ReactNode[] {
  const first = Object.keys(terms).map((word) => texts.findIndex((text) => asWord(word).test(text)));
  return texts.map((text, place) => (
    <TermsIn
      key={text}
      text={text}
      terms={Object.fromEntries(Object.entries(terms).filter((_, at) => first[at] === place))}
    />
  ));
}

/** What a term means, for the heading of a column or the label of a field. */
export function explained(name: TermName): Explanation {
  return ALL[name];
}
