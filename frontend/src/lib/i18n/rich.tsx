/** Sentences with elements in them: a link, a name in bold. */
import { Fragment, type ReactNode } from "react";
import { type Known, translated, type ValuesOf } from "./t";

const HOLES = /\{(\w+)\}/;

export function rich<const Text extends string>(
  text: Text & Known<Text>,
  ...[nodes]: ValuesOf<Text, ReactNode>
): ReactNode {
  const held: Readonly<Record<string, ReactNode>> = nodes ?? {};
  // Split by a pattern with a group, every second part is a name.
  const parts = translated(text).split(HOLES);
  return parts.map((part, index) => <Fragment key={index}>{index % 2 === 0 ? part : held[part]}</Fragment>);
}
