/** The work on the sheet in front, kept over reloads. */
import { useCallback, useState } from "react";
import type { Sheet } from "../../api/contract";
import { readDraft, writeDraft } from "./drafts";
import { EMPTY_WORK, moveTo, type SheetWork, workFromDraft } from "./sheet-work";

/** A draft of this browser is newer than what the server remembers. */
function startingWork(sheet: Sheet | null): SheetWork {
  if (sheet === null) return EMPTY_WORK;
  const work = readDraft(sheet.id) ?? (sheet.draft ? workFromDraft(sheet.draft) : EMPTY_WORK);
  // The sheet may have fewer answers than when the draft was kept.
  return moveTo(sheet, work, work.row);
}

export function useSheetWork(
  sheet: Sheet | null,
): [SheetWork, (change: (work: SheetWork) => SheetWork) => void] {
  const [held, setHeld] = useState(() => ({ sheet, work: startingWork(sheet) }));
  let current = held;
  if (held.sheet?.id !== sheet?.id) {
    current = { sheet, work: startingWork(sheet) };
    setHeld(current);
  }
  const update = useCallback(
    (change: (work: SheetWork) => SheetWork) => {
      setHeld((before) => {
        const work = change(before.work);
        if (before.sheet) writeDraft(before.sheet.id, work);
        return { ...before, work };
      });
    },
    [setHeld],
  );
  return [current.work, update];
}
