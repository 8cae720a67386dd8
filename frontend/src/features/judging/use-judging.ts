/** Brings together the desk, the work on the sheet in front, and the commands that act on both. */
import { useEffect, useReducer, useState } from "react";
import type { LabelSpec, Project, Sheet } from "../../api/contract";
import { canRun, type Command } from "../../lib/commands";
import { t } from "../../lib/i18n/t";
import { withChosenKeys } from "../../lib/key-settings";
import type { Desk } from "./desk";
import type { DeskState } from "./desk-state";
import { openSearch } from "./evidence";
import { judgingCommands } from "./judging-commands";
import { newSubmissionKey, type OutboxEntry } from "./outbox";
import { choose, isComplete, judgmentsOf, moveTo, type Row, rowsOf, type SheetWork } from "./sheet-work";
import { useActiveClock } from "./use-active-clock";
import { useDesk } from "./use-desk";
import { type GuidelinesState, useGuidelines } from "./use-guidelines";
import { useSheetWork } from "./use-sheet-work";

export type Panel = "skip" | "flag" | "help" | null;
export type Writing = { readonly answerId: string; readonly field: "comment" | "evidence" } | null;

export interface Judging {
  readonly desk: Desk;
  readonly state: DeskState;
  readonly sheet: Sheet | null;
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

export function useJudging(project: Project, desk: Desk): Judging {
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

  const change = (next: (sheet: Sheet, work: SheetWork) => SheetWork) => {
    if (sheet) update((before) => ({ ...next(sheet, before), seconds: clock.seconds() }));
  };
  const hand = (act: OutboxEntry["act"]) => {
    if (!sheet) return;
    const kept = { ...work, seconds: clock.seconds() };
    setWriting(null);
    desk.dismissNotice();
    desk.hand({
      key: newSubmissionKey(),
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
