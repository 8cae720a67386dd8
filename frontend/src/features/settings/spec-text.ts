/** A protocol as two texts: the guidelines people read, and the rest as JSON. */
import { isRecord } from "../../lib/storage";

export interface SpecText {
  readonly guidelines: string;
  readonly rest: string;
}

export function splitSpec(spec: Readonly<Record<string, unknown>>): SpecText {
  const { guidelines, ...rest } = spec;
  return {
    guidelines: typeof guidelines === "string" ? guidelines : "",
    rest: JSON.stringify(rest, null, 2),
  };
}

/** Throws in words where the text is no JSON object. */
export function joinSpec({ guidelines, rest }: SpecText): Record<string, unknown> {
  let spec: unknown;
  try {
    spec = JSON.parse(rest);
  } catch (error) {
    throw new Error(`The protocol is not readable as JSON: ${error instanceof Error ? error.message : ""}`, {
      cause: error,
    });
  }
  if (!isRecord(spec)) throw new Error("The protocol must be a JSON object: { … }.");
  return { ...spec, guidelines };
}
