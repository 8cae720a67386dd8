/** All keys of the queue. */
import { useState } from "react";
import type { LabelSpec } from "../../api/contract";
import { HelpSheet } from "../../components/help-sheet";
import { withChosenKeys } from "../../lib/key-settings";
import {
  decisionCommands,
  filterCommands,
  markCommands,
  moveCommands,
  NO_MARKS,
  sendBackCommand,
  verdictCommand,
} from "./commands";
import { ALL_CATEGORIES } from "./words";

interface QueueHelpProps {
  readonly open: boolean;
  readonly labels: readonly LabelSpec[];
  readonly onClose: () => void;
}

const nothing = () => undefined;

export function QueueHelp({ open, labels, onClose }: QueueHelpProps) {
  const [, setVersion] = useState(0);
  if (!open) return null;
  const commands = [
    ...moveCommands({ move: nothing, help: nothing }),
    ...filterCommands({ focusFilters: nothing, mayShow: () => true, toggleSystems: nothing }),
    ...markCommands(NO_MARKS),
    verdictCommand(nothing),
    sendBackCommand(nothing),
    ...decisionCommands({
      labels,
      categories: ALL_CATEGORIES,
      chooseLabel: nothing,
      chooseCategory: nothing,
      writeReason: nothing,
      canDecide: () => true,
      decide: nothing,
    }),
  ];
  return (
    <HelpSheet
      open
      commands={withChosenKeys(commands)}
      onClose={onClose}
      onChange={() => setVersion((version) => version + 1)}
    />
  );
}
