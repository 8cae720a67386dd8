import { describe, expect, it, vi } from "vitest";
import { canRun, repeatedKeys } from "../../lib/commands";
import { type TaggingActions, taggingCommands, type TaggingSituation } from "./commands";

const TAGS = Array.from({ length: 30 }, (_, place) => ({
  key: `tag-${place}`,
  name: `Tag ${place}`,
  meaning: "",
  example: "",
  group: "",
  judges: "any" as const,
}));
const ACTIONS: TaggingActions = {
  toggle: vi.fn(),
  toggleUnattributable: vi.fn(),
  acceptProposal: vi.fn(),
  writeNote: vi.fn(),
  save: vi.fn(),
  undo: vi.fn(),
  move: vi.fn(),
  help: vi.fn(),
};
const READY: TaggingSituation = { canSave: true, canUndo: true, isProposed: true, isAboutAnswers: true };

function find(id: string, situation: TaggingSituation) {
  const command = taggingCommands(TAGS, ACTIONS, situation).find((candidate) => candidate.id === id);
  if (!command) throw new Error(`there is no command ${id}`);
  return command;
}

describe("the keys of tagging", () => {
  it("are one for each of as many tags as a set may have, and unique", () => {
    const commands = taggingCommands(TAGS, ACTIONS, READY);
    expect(repeatedKeys(commands)).toEqual([]);
    expect(commands.every(({ keys }) => keys.length > 0)).toBe(true);
  });

  it("keep nothing before there is something to keep", () => {
    expect(canRun(find("save", { ...READY, canSave: false }))).toBe(false);
    expect(canRun(find("save", READY))).toBe(true);
  });

  it("call no question unattributable", () => {
    expect(canRun(find("unattributable", { ...READY, isAboutAnswers: false }))).toBe(false);
  });
});
