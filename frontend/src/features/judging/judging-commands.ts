/** Every key of the judging page, as data. */
import type { LabelSpec } from "../../api/contract";
import type { Command } from "../../lib/commands";
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
    const group = "Labels";
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
      label: "Next answer",
      keys: ["j", "ArrowDown"],
      group: "Moving",
      when: hasSheet,
      run: () => actions.move(1),
    },
    {
      id: "previous",
      label: "Previous answer",
      keys: ["k", "ArrowUp"],
      group: "Moving",
      when: hasSheet,
      run: () => actions.move(-1),
    },
    {
      id: "confirm",
      label: "Confirm and next",
      keys: ["Enter"],
      group: "Sheet",
      when: () => situation.complete,
      run: actions.confirm,
    },
    {
      id: "undo",
      label: "Take back the last sheet",
      keys: ["u", "mod+z"],
      group: "Sheet",
      when: () => situation.canUndo,
      run: actions.undo,
    },
    {
      id: "skip",
      label: "Skip with a reason",
      keys: ["s"],
      group: "Sheet",
      when: hasSheet,
      run: actions.skip,
    },
    {
      id: "comment",
      label: "Comment on the answer",
      keys: ["c"],
      group: "Answer",
      when: onAnswer,
      run: actions.comment,
    },
    {
      id: "evidence",
      label: "Look it up, keep evidence",
      keys: ["e"],
      group: "Answer",
      when: hasSheet,
      run: actions.evidence,
    },
    {
      id: "flag",
      label: "Flag the question",
      keys: ["f"],
      group: "Answer",
      when: hasSheet,
      run: actions.flag,
    },
    { id: "guidelines", label: "Guidelines", keys: ["g"], group: "Help", run: actions.guidelines },
    { id: "help", label: "All keys", keys: ["?"], group: "Help", run: actions.help },
  ];
}

/** The key printed on the button of a command; with single keys off only one with Ctrl. */
export function printedKey(commands: readonly Command[], id: string): string | undefined {
  const keys = commands.find((command) => command.id === id)?.keys ?? [];
  return shortcutsEnabled() ? keys[0] : keys.find((key) => key.startsWith("mod+"));
}
