import { describe, expect, it } from "vitest";
import { repeatedKeys } from "../../lib/commands";
import {
  decisionCommands,
  filterCommands,
  markCommands,
  moveCommands,
  NO_MARKS,
  sendBackCommand,
  verdictCommand,
} from "./commands";
import { ALL_CATEGORIES } from "./queue";

const nothing = () => undefined;

describe("the keys of the queue", () => {
  it("are unique with five labels and every category", () => {
    const labels = [1, 2, 3, 4, 5].map((place) => ({
      key: `label-${place}`,
      name: `Label ${place}`,
      credit: "definite" as const,
    }));
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
    expect(repeatedKeys(commands)).toEqual([]);
  });
});
