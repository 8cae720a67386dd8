/** The keys of the queue, as data. */
import type { CategoryEnum } from "../../api/schema";
import type { LabelSpec } from "../../domain/labels";
import type { Command } from "../../lib/commands";
import type { Category } from "./queue";

interface MoveHandlers {
  readonly move: (step: 1 | -1) => void;
  readonly help: () => void;
}

export function moveCommands({ move, help }: MoveHandlers): Command[] {
  return [
    { id: "next", label: "Next answer", keys: ["j", "ArrowDown"], group: "Queue", run: () => move(1) },
    { id: "previous", label: "Previous answer", keys: ["k", "ArrowUp"], group: "Queue", run: () => move(-1) },
    { id: "keys", label: "Keyboard shortcuts", keys: ["?"], group: "Queue", run: help },
  ];
}

interface FilterHandlers {
  readonly focusFilters: () => void;
  readonly mayShow: () => boolean;
  readonly toggleSystems: () => void;
}

export function filterCommands({ focusFilters, mayShow, toggleSystems }: FilterHandlers): Command[] {
  return [
    { id: "filters", label: "Filter queue", keys: ["f"], group: "Queue", run: focusFilters },
    {
      id: "systems",
      label: "Show or hide systems",
      keys: ["y"],
      group: "Queue",
      when: mayShow,
      run: toggleSystems,
    },
  ];
}

interface MarkHandlers {
  readonly mark: () => void;
  readonly markAnd: (step: 1 | -1) => void;
  readonly unmark: () => void;
  readonly hasMarks: () => boolean;
  readonly decideTogether: () => void;
  readonly undo: () => void;
}

export function markCommands(handlers: MarkHandlers): Command[] {
  const { mark, markAnd, unmark, hasMarks, decideTogether, undo } = handlers;
  const group = "Multiple answers";
  return [
    { id: "mark", label: "Select or deselect", keys: ["x"], group, run: mark },
    {
      id: "mark-down",
      label: "Select and move down",
      keys: ["shift+ArrowDown"],
      group,
      run: () => markAnd(1),
    },
    { id: "mark-up", label: "Select and move up", keys: ["shift+ArrowUp"], group, run: () => markAnd(-1) },
    { id: "unmark", label: "Clear selection", keys: ["Escape"], group, when: hasMarks, run: unmark },
    {
      id: "together",
      label: "Decide selected answers",
      keys: ["b"],
      group,
      when: hasMarks,
      run: decideTogether,
    },
    { id: "undo", label: "Undo last decision", keys: ["u", "mod+z"], group: "Decision", run: undo },
  ];
}

export const NO_MARKS: MarkHandlers = {
  mark: () => undefined,
  markAnd: () => undefined,
  unmark: () => undefined,
  hasMarks: () => true,
  decideTogether: () => undefined,
  undo: () => undefined,
};

interface DecisionHandlers {
  readonly labels: readonly LabelSpec[];
  readonly categories: readonly Category[];
  readonly chooseLabel: (key: string) => void;
  readonly chooseCategory: (value: CategoryEnum) => void;
  readonly writeReason: () => void;
  readonly canDecide: () => boolean;
  readonly decide: () => void;
}

export function decisionCommands(handlers: DecisionHandlers): Command[] {
  return [
    ...handlers.labels.map((label, index) => ({
      id: `label-${label.key}`,
      label: label.name,
      keys: [String(index + 1)],
      group: "Decision",
      run: () => handlers.chooseLabel(label.key),
    })),
    ...handlers.categories.map((category) => ({
      id: `category-${category.value}`,
      label: category.name,
      keys: [category.key],
      group: "Reason",
      run: () => handlers.chooseCategory(category.value),
    })),
    { id: "reason", label: "Write an explanation", keys: ["r"], group: "Reason", run: handlers.writeReason },
    {
      id: "decide",
      label: "Decide and continue",
      keys: ["Enter"],
      group: "Decision",
      when: handlers.canDecide,
      run: handlers.decide,
    },
  ];
}

/** The key that sends an answer back; its command lives where the reason is asked for. */
export function sendBackCommand(ask: () => void): Command {
  return { id: "send-back", label: "Send back to annotators", keys: ["s"], group: "Decision", run: ask };
}

/** The key that shows what the judges said; its command lives where they are shown. */
export function verdictCommand(toggle: () => void): Command {
  return {
    id: "verdicts",
    label: "Show or hide judges’ verdicts",
    keys: ["v"],
    group: "Queue",
    run: toggle,
  };
}
