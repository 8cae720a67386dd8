/** Whether this person has seen the guidelines as they stand now. */
import { readStored, writeStored } from "../../lib/storage";

const PREFIX = "assay.guidelines.";

function isNumber(value: unknown): value is number {
  return typeof value === "number";
}

/** A small fingerprint of the text (djb2); it only has to differ when the text does. */
function fingerprint(text: string): number {
  return [...text].reduce(
    (hash, character) => (hash * 33 + (character.codePointAt(0) ?? 0)) % 4_294_967_291,
    5381,
  );
}

export type Seen = "seen" | "new" | "changed";

export function guidelinesSeen(slug: string, html: string): Seen {
  if (html === "") return "seen";
  const stored = readStored(PREFIX + slug, isNumber);
  if (stored === null) return "new";
  return stored === fingerprint(html) ? "seen" : "changed";
}

export function markGuidelinesSeen(slug: string, html: string): void {
  writeStored(PREFIX + slug, fingerprint(html));
}
