/** Connects the page with the rater's desk. */
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { afterPaint } from "../../lib/after-paint";
import { Desk } from "./desk";
import type { DeskState } from "./desk-state";
import { removeOldDrafts } from "./drafts";
import { post } from "../../api/client";
import { createOutbox } from "./outbox";

function createDesk(slug: string, raterId: string): Desk {
  return new Desk(
    {
      next: (ahead) => post("/api/projects/{slug}/sheets/next", { slug }, { ahead }),
      submit: (sheetId, body) =>
        post("/api/projects/{slug}/sheets/{sheet_id}/submit", { slug, sheet_id: sheetId }, body),
      skip: (sheetId, body) =>
        post("/api/projects/{slug}/sheets/{sheet_id}/skip", { slug, sheet_id: sheetId }, body),
      undo: (ahead) => post("/api/projects/{slug}/sheets/undo", { slug }, { ahead }),
    },
    createOutbox(raterId, slug),
    afterPaint,
  );
}

/** The desk of a rater, at which everything goes to the server. */
export function useServerDesk(slug: string, raterId: string): Desk {
  return useMemo(() => createDesk(slug, raterId), [slug, raterId]);
}

export function useDesk(desk: Desk): DeskState {
  const state = useSyncExternalStore(desk.subscribe, desk.snapshot);
  useEffect(() => {
    removeOldDrafts();
    void desk.open();
    const wake = () => {
      if (!document.hidden) void desk.returnToWork(new Date());
    };
    const lose = () => desk.loseConnection();
    window.addEventListener("online", wake);
    window.addEventListener("offline", lose);
    document.addEventListener("visibilitychange", wake);
    return () => {
      window.removeEventListener("online", wake);
      window.removeEventListener("offline", lose);
      document.removeEventListener("visibilitychange", wake);
      desk.close();
    };
  }, [desk]);
  return state;
}
