/** Work handed in but not yet acknowledged, kept over reloads until the server has it, each once. */
import type { Sheet, SheetDraft } from "../../api/contract";
import { isRecord, readStored, removeStored, storedKeys, writeStored } from "../../lib/storage";
import type { SheetWork } from "./sheet-work";

export interface OutboxEntry {
  /** The submission key: the server takes the same key once. */
  readonly key: string;
  readonly slug: string;
  readonly at: number;
  /** Whether a request was ever sent; then the server may have it although no reply came. */
  readonly attempted: boolean;
  readonly sheet: Sheet;
  readonly work: SheetWork;
  readonly act:
    | { readonly kind: "submit"; readonly judgments: SheetDraft; readonly seconds: number }
    | { readonly kind: "skip"; readonly reason: string };
}

function isEntry(value: unknown): value is OutboxEntry {
  if (!isRecord(value) || !isRecord(value["sheet"]) || !isRecord(value["act"])) return false;
  return (
    typeof value["key"] === "string" && typeof value["slug"] === "string" && typeof value["at"] === "number"
  );
}

export interface Outbox {
  readonly entries: () => OutboxEntry[];
  readonly put: (entry: OutboxEntry) => boolean;
  readonly remove: (key: string) => void;
}

/** One outbox a person and project; every entry has a key of its own, so that tabs do not overwrite each other. */
export function createOutbox(raterId: string, slug: string): Outbox {
  const prefix = `assay.outbox.${raterId}.${slug}.`;
  // Where storage is full or forbidden, work still waits in this page.
  const inMemory = new Map<string, OutboxEntry>();
  const stored = () =>
    storedKeys(prefix)
      .map((key) => readStored(key, isEntry))
      .filter((entry) => entry !== null);
  return {
    entries: () => [...stored(), ...inMemory.values()].sort((left, right) => left.at - right.at),
    put: (entry) => {
      const kept = writeStored(prefix + entry.key, entry);
      if (!kept) inMemory.set(entry.key, entry);
      return kept;
    },
    remove: (key) => {
      inMemory.delete(key);
      removeStored(prefix + key);
    },
  };
}

/** An outbox that forgets everything with its page. */
export function createMemoryOutbox(): Outbox {
  const held = new Map<string, OutboxEntry>();
  return {
    entries: () => [...held.values()].sort((left, right) => left.at - right.at),
    put: (entry) => held.set(entry.key, entry).has(entry.key),
    remove: (key) => void held.delete(key),
  };
}

/** A key nobody else has; `randomUUID` exists only on secure origins, and laboratories use plain ones. */
export function newSubmissionKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
