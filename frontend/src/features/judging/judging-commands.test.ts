import { describe, expect, it, vi } from "vitest";
import { canRun, repeatedKeys } from "../../lib/commands";
import { type JudgingActions, judgingCommands, type JudgingSituation } from "./judging-commands";

const LABELS = ["a", "b", "c", "d", "e"].map((key) => ({ key, name: key, credit: "none" }));
const ACTIONS: JudgingActions = {
  choose: vi.fn(),
  move: vi.fn(),
  confirm: vi.fn(),
  undo: vi.fn(),
  skip: vi.fn(),
  comment: vi.fn(),
  evidence: vi.fn(),
  flag: vi.fn(),
  guidelines: vi.fn(),
  help: vi.fn(),
};
const READY: JudgingSituation = { hasSheet: true, onAnswer: true, complete: true, canUndo: true };

function find(id: string, situation = READY) {
  const command = judgingCommands(LABELS, ACTIONS, situation).find((candidate) => candidate.id === id);
  if (!command) throw new Error(`there is no command ${id}`);
  return command;
}

describe("judgingCommands", () => {
  it("give every key to one command", () => {
    expect(repeatedKeys(judgingCommands(LABELS, ACTIONS, READY))).toEqual([]);
  });

  it("name every command once and in words", () => {
    const commands = judgingCommands(LABELS, ACTIONS, READY);
    expect(new Set(commands.map((command) => command.id)).size).toBe(commands.length);
    expect(commands.every((command) => command.label !== "")).toBe(true);
  });

  it("never use a bare Backspace", () => {
    expect(judgingCommands(LABELS, ACTIONS, READY).flatMap((command) => command.keys)).not.toContain(
      "Backspace",
    );
  });

  it("confirm only a complete sheet", () => {
    expect(canRun(find("confirm", { ...READY, complete: false }))).toBe(false);
    expect(canRun(find("confirm"))).toBe(true);
  });

  it("number the labels in their order", () => {
    find("label-2").run();
    expect(find("label-2").keys).toEqual(["2"]);
    expect(ACTIONS.choose).toHaveBeenCalledWith(1);
  });
});
