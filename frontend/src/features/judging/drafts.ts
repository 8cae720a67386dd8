/** Keeps unfinished sheets over a reload. */
import { isRecord, readStored, removeStored, storedKeys, writeStored } from "../../lib/storage";
import type { SheetWork } from "./sheet-work";

const PREFIX = "assay.draft.";
const KEPT_MS = 14 * 24 * 3_600_000;

interface StoredDraft {
  readonly work: SheetWork;
  readonly at: number;
}

function isStoredDraft(value: unknown): value is StoredDraft {
  if (!isRecord(value) || typeof value["at"] !== "number" || !isRecord(value["work"])) return false;
  const work = value["work"];
  return isRecord(work["answers"]) && isRecord(work["checks"]) && typeof work["row"] === "number";
}

export function readDraft(sheetId: string): SheetWork | null {
  return readStored(PREFIX + sheetId, isStoredDraft)?.work ?? null;
}

export function writeDraft(sheetId: string, work: SheetWork, at = Date.now()): void {
  writeStored(PREFIX + sheetId, { work, at });
}

export function removeDraft(sheetId: string): void {
  removeStored(PREFIX + sheetId);
}

/** Forgets drafts of sheets that were given back long ago. */
export function removeOldDrafts(now = Date.now()): void {
  for (const key of storedKeys(PREFIX)) {
    const draft = readStored(key, isStoredDraft);
    if (draft === null || now - draft.at > KEPT_MS) removeStored(key);
  }
}
