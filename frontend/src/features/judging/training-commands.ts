/** The keys of the training, as data: those of judging, as far as there is something to do with them. */
import type { LabelSpec } from "../../api/contract";
import type { Command } from "../../lib/commands";
import { t } from "../../lib/i18n/t";

interface TrainingActions {
  readonly label: (label: LabelSpec) => void;
  readonly move: (step: 1 | -1) => void;
  readonly check: () => void;
  readonly goOn: () => void;
}

export function trainingCommands(
  labels: readonly LabelSpec[],
  actions: TrainingActions,
  isChecked: boolean,
): Command[] {
  return [
    ...labels.slice(0, 5).map((label, index): Command => ({
      id: `label-${index + 1}`,
      label: label.name,
      keys: [String(index + 1)],
      when: () => !isChecked,
      run: () => actions.label(label),
    })),
    { id: "next", label: t("Next answer"), keys: ["j", "ArrowDown"], run: () => actions.move(1) },
    { id: "previous", label: t("Previous answer"), keys: ["k", "ArrowUp"], run: () => actions.move(-1) },
    {
      id: "confirm",
      label: isChecked ? t("Go on") : t("Check my answers"),
      keys: ["Enter"],
      run: isChecked ? actions.goOn : actions.check,
    },
  ];
}
