/** Every key of the judging page, as data. */
import type { LabelSpec } from "../../domain/labels";
import type { Command } from "../../lib/commands";
import { t } from "../../lib/i18n/t";
import { shortcutsEnabled } from "../../lib/key-settings";

export interface JudgingActions {
  readonly choose: (index: number) => void;
  readonly move: (step: 1 | -1) => void;
  readonly confirm: () => void;
  readonly undo: () => void;
  readonly skip: () => void;
  readonly comment: () => void;
  readonly evidence: () => void;
  readonly flag: () => void;
  readonly guidelines: () => void;
  readonly help: () => void;
}

export interface JudgingSituation {
  readonly hasSheet: boolean;
  readonly onAnswer: boolean;
  readonly complete: boolean;
  readonly canUndo: boolean;
}

/** The command that makes the choice at this place, counted from 0. */
export function labelCommand(place: number): string {
  return `label-${place + 1}`;
}

export function judgingCommands(
  labels: readonly LabelSpec[],
  actions: JudgingActions,
  situation: JudgingSituation,
): Command[] {
  const hasSheet = () => situation.hasSheet;
  const onAnswer = () => situation.onAnswer;
  const labelCommands = labels.slice(0, 5).map((label, index): Command => {
    const group = t("Labels");
    return {
      id: labelCommand(index),
      label: label.name,
      keys: [String(index + 1)],
      group,
      when: hasSheet,
      run: () => actions.choose(index),
    };
  });
  return [
    ...labelCommands,
    {
      id: "next",
      label: t("Next answer"),
      keys: ["j", "ArrowDown"],
      group: t("Navigation"),
      when: hasSheet,
      run: () => actions.move(1),
    },
    {
      id: "previous",
      label: t("Previous answer"),
      keys: ["k", "ArrowUp"],
      group: t("Navigation"),
      when: hasSheet,
      run: () => actions.move(-1),
    },
    {
      id: "confirm",
      label: t("Confirm and continue"),
      keys: ["Enter"],
      group: t("Question"),
      when: () => situation.complete,
      run: actions.confirm,
    },
    {
      id: "undo",
      label: t("Undo last submission"),
      keys: ["u", "mod+z"],
      group: t("Question"),
      when: () => situation.canUndo,
      run: actions.undo,
    },
    {
      id: "skip",
      label: t("Skip with a reason"),
      keys: ["s"],
      group: t("Question"),
      when: hasSheet,
      run: actions.skip,
    },
    {
      id: "comment",
      label: t("Comment on the answer"),
      keys: ["c"],
      group: t("Answer"),
      when: onAnswer,
      run: actions.comment,
    },
    {
      id: "evidence",
      label: t("Search the web and add evidence"),
      keys: ["e"],
      group: t("Answer"),
      when: hasSheet,
      run: actions.evidence,
    },
    {
      id: "flag",
      label: t("Flag question"),
      keys: ["f"],
      group: t("Answer"),
      when: hasSheet,
      run: actions.flag,
    },
    { id: "guidelines", label: t("Guidelines"), keys: ["g"], group: t("Help"), run: actions.guidelines },
    { id: "help", label: t("Keyboard shortcuts"), keys: ["?"], group: t("Help"), run: actions.help },
  ];
}

/** Whether it is there at all times, whatever the page is about. */
export function isHelp({ id }: Command): boolean {
  return id === "guidelines" || id === "help";
}

/** The key printed on the button of a command; with single keys off only one with Ctrl. */
export function printedKey(commands: readonly Command[], id: string): string | undefined {
  const keys = commands.find((command) => command.id === id)?.keys ?? [];
  return shortcutsEnabled() ? keys[0] : keys.find((key) => key.startsWith("mod+"));
}
