/** Brings together the desk, the work on the sheet in front, and the commands that act on both. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useReducer, useState, useSyncExternalStore } from "react";
import { newKey } from "../../api/actions";
import { keyOf, post, read } from "../../api/client";
import type { LabelSpec } from "../../domain/labels";
import type { BlindSheet, ProjectDetail } from "../../api/schema";
import { canRun, type Command } from "../../lib/commands";
import { t } from "../../lib/i18n/t";
import { withChosenKeys } from "../../lib/key-settings";
import { afterPaint } from "./after-paint";
import { createOutbox, Desk, type DeskState, type OutboxEntry, removeOldDrafts } from "./desk";
import { judgingCommands } from "./judging-commands";
import {
  choose,
  isComplete,
  judgmentsOf,
  moveTo,
  openSearch,
  type Row,
  rowsOf,
  type SheetWork,
  useSheetWork,
} from "./sheet-work";

type Panel = "skip" | "flag" | "help" | null;
type Writing = { readonly answerId: string; readonly field: "comment" | "evidence" } | null;

export interface Judging {
  readonly desk: Desk;
  readonly state: DeskState;
  readonly sheet: BlindSheet | null;
  readonly work: SheetWork;
  readonly update: (change: (work: SheetWork) => SheetWork) => void;
  readonly commands: readonly Command[];
  readonly run: (commandId: string) => void;
  readonly panel: Panel;
  readonly close: () => void;
  readonly skip: (reason: string) => void;
  /** The field that was opened by key and wants the focus. */
  readonly writing: Writing;
  readonly setWriting: (writing: Writing) => void;
  readonly guidelines: GuidelinesState;
  readonly rereadKeys: () => void;
}

/** The options of a row, in the order of the keys. */
export function optionsOf(
  row: Row,
  project: { readonly labels: readonly LabelSpec[] },
): readonly LabelSpec[] {
  if (row.kind === "answer") return project.labels;
  return [
    { key: "yes", name: t("Yes"), credit: "" },
    { key: "no", name: t("No"), credit: "" },
  ];
}

export function useJudging(project: ProjectDetail, desk: Desk): Judging {
  const state = useDesk(desk);
  const sheet = state.sheets[0] ?? null;
  const [work, update] = useSheetWork(sheet);
  const clock = useActiveClock(sheet?.id ?? null, work.seconds);
  const [panel, setPanel] = useState<Panel>(null);
  const [writing, setWriting] = useState<Writing>(null);
  const guidelines = useGuidelines(project.slug, desk, state);
  const { mustRead } = guidelines;
  // Reading is no time spent on the sheet that waits.
  useEffect(() => (mustRead ? clock.pause() : clock.resume()), [clock, mustRead]);
  const [keysRead, rereadKeys] = useReducer((count: number) => count + 1, 0);
  const row = sheet ? rowsOf(sheet, work)[work.row] : undefined;

  const change = (next: (sheet: BlindSheet, work: SheetWork) => SheetWork) => {
    if (sheet) update((before) => ({ ...next(sheet, before), seconds: clock.seconds() }));
  };
  const hand = (act: OutboxEntry["act"]) => {
    if (!sheet) return;
    const kept = { ...work, seconds: clock.seconds() };
    setWriting(null);
    desk.dismissNotice();
    desk.hand({
      key: newKey(),
      slug: project.slug,
      at: Date.now(),
      attempted: false,
      sheet,
      work: kept,
      act,
    });
  };
  const write = (field: "comment" | "evidence") => {
    if (row?.kind === "answer") setWriting({ answerId: row.id, field });
  };
  const actions = {
    choose: (index: number) => {
      const option = row && optionsOf(row, project)[index];
      if (row && option) change((onSheet, before) => choose(onSheet, before, row.id, option.key, true));
    },
    move: (step: 1 | -1) => change((onSheet, before) => moveTo(onSheet, before, before.row + step)),
    confirm: () => {
      if (!sheet) return;
      hand({
        kind: "submit",
        judgments: judgmentsOf(sheet, work),
        seconds: Math.round(clock.seconds() * 10) / 10,
      });
    },
    undo: () => void desk.undo(),
    skip: () => setPanel("skip"),
    comment: () => write("comment"),
    evidence: () => {
      if (!sheet) return;
      openSearch(sheet.question.text, row?.kind === "answer" ? row.answer.text : null);
      write("evidence");
    },
    flag: () => setPanel("flag"),
    guidelines: guidelines.act,
    help: () => setPanel("help"),
  };
  const commands = withChosenKeys(
    judgingCommands(project.labels, actions, {
      hasSheet: sheet !== null && !mustRead,
      onAnswer: row?.kind === "answer" && !mustRead,
      complete: sheet !== null && !mustRead && isComplete(sheet, work),
      canUndo: !state.undoing && !mustRead && (state.waiting > 0 || (state.progress?.can_undo ?? false)),
    }),
  );
  void keysRead;
  return {
    desk,
    state,
    sheet,
    work,
    update: (next) => change((_, before) => next(before)),
    commands,
    run: (commandId) => {
      const command = commands.find(({ id }) => id === commandId);
      if (command && canRun(command)) command.run();
    },
    panel,
    close: () => setPanel(null),
    skip: (reason) => {
      setPanel(null);
      hand({ kind: "skip", reason });
    },
    writing,
    setWriting,
    guidelines,
    rereadKeys,
  };
}

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

function useDesk(desk: Desk): DeskState {
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

function useGuidelines(slug: string, desk: Desk, { guidelinesUnread: unread }: DeskState) {
  const queryClient = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const guidelines = read("/api/projects/{slug}/guidelines", { slug });
  const reading = useQuery({
    ...guidelines,
    // What a reply asked to be read is fetched anew.
    queryKey: [...guidelines.queryKey, unread],
    gcTime: 0,
    enabled: unread !== "",
  });
  const keep = useMutation({
    mutationFn: async (seenHash: string) => {
      // What was judged before belongs to the guidelines known before.
      await desk.flush();
      await post("/api/projects/{slug}/guidelines", { slug }, { seen_hash: seenHash });
    },
    onSuccess: () => {
      setOpen(false);
      void desk.markGuidelinesRead();
      // The labels may have changed with them.
      void queryClient.invalidateQueries({ queryKey: keyOf("/api/projects/{slug}", { slug }) });
    },
    onError: () => void reading.refetch(),
  });
  const confirm = () => {
    if (reading.data && !keep.isPending) keep.mutate(reading.data.hash);
  };
  const mustRead = unread !== "";
  return {
    mustRead,
    reading,
    isKeeping: keep.isPending,
    problem: keep.error,
    confirm,
    isOpen: isOpen && !mustRead,
    close: () => setOpen(false),
    /** The same key opens and closes them, and says that they were read. */
    act: () => (mustRead ? confirm() : setOpen(!isOpen)),
  };
}

export type GuidelinesState = ReturnType<typeof useGuidelines>;

const SIGNS_OF_LIFE = ["keydown", "pointerdown", "pointermove", "wheel", "scroll"] as const;

function useActiveClock(sheetId: string | null, secondsBefore: number): ActiveClock {
  const [clock] = useState(() => createActiveClock());
  useEffect(() => {
    clock.restart(secondsBefore);
    // Only a new sheet restarts the clock; what was spent before is read once.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [clock, sheetId]);
  useEffect(() => {
    const changed = () => (document.hidden ? clock.pause() : clock.resume());
    const options = { passive: true, capture: true };
    document.addEventListener("visibilitychange", changed);
    for (const sign of SIGNS_OF_LIFE) window.addEventListener(sign, clock.touch, options);
    return () => {
      document.removeEventListener("visibilitychange", changed);
      for (const sign of SIGNS_OF_LIFE) window.removeEventListener(sign, clock.touch, options);
    };
  }, [clock]);
  return clock;
}

const IDLE_MS = 60_000;

interface ActiveClock {
  /** The person did something. */
  readonly touch: () => void;
  readonly pause: () => void;
  readonly resume: () => void;
  readonly seconds: () => number;
  readonly restart: (seconds?: number) => void;
}

export function createActiveClock(now: () => number = () => performance.now()): ActiveClock {
  let counted = 0;
  let since: number | null = now();
  const settle = () => {
    if (since !== null) counted += Math.min(now() - since, IDLE_MS);
  };
  return {
    touch: () => {
      if (since === null) return;
      settle();
      since = now();
    },
    pause: () => {
      settle();
      since = null;
    },
    resume: () => {
      since ??= now();
    },
    seconds: () => (counted + (since === null ? 0 : Math.min(now() - since, IDLE_MS))) / 1000,
    restart: (seconds = 0) => {
      counted = seconds * 1000;
      if (since !== null) since = now();
    },
  };
}
