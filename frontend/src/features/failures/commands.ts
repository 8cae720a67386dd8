/** The keys of the tagging page, as data. */
import type { FailureTag } from "../../api/schema";
import type { Command } from "../../lib/commands";

/** As many as a set may have tags; without the letters of the other commands. */
const TAG_KEYS = [..."123456789", ..."abcdefghilmopqrstvwyz"];

/** Free in every set: the digits of tags begin at 1. */
export const PROPOSAL_KEY = "0";

export function keyOfTag(place: number): string | undefined {
  return TAG_KEYS[place];
}

export interface TaggingActions {
  readonly toggle: (tag: string) => void;
  readonly toggleUnattributable: () => void;
  readonly acceptProposal: () => void;
  readonly writeNote: () => void;
  readonly save: () => void;
  readonly undo: () => void;
  readonly move: (step: 1 | -1) => void;
  readonly help: () => void;
}

export interface TaggingSituation {
  readonly canSave: boolean;
  readonly canUndo: boolean;
  readonly isProposed: boolean;
  /** Questions cannot be unattributable. */
  readonly isAboutAnswers: boolean;
}

export function taggingCommands(
  tags: readonly FailureTag[],
  actions: TaggingActions,
  situation: TaggingSituation,
): Command[] {
  return [
    ...tags.map((tag, place) => ({
      id: `tag-${tag.key}`,
      label: tag.name,
      keys: [keyOfTag(place)].filter((key) => key !== undefined),
      group: "Tags",
      run: () => actions.toggle(tag.key),
    })),
    {
      id: "unattributable",
      label: "Mark as unattributable",
      keys: ["x"],
      group: "Tags",
      when: () => situation.isAboutAnswers,
      run: actions.toggleUnattributable,
    },
    {
      id: "proposal",
      label: "Accept proposal",
      keys: [PROPOSAL_KEY],
      group: "Tags",
      when: () => situation.isProposed,
      run: actions.acceptProposal,
    },
    { id: "note", label: "Add a note", keys: ["n"], group: "Tags", run: actions.writeNote },
    {
      id: "save",
      label: "Save and continue",
      keys: ["Enter"],
      group: "Round",
      when: () => situation.canSave,
      run: actions.save,
    },
    {
      id: "undo",
      label: "Undo",
      keys: ["u", "mod+z"],
      group: "Round",
      when: () => situation.canUndo,
      run: actions.undo,
    },
    { id: "next", label: "Next item", keys: ["j", "ArrowDown"], group: "Round", run: () => actions.move(1) },
    {
      id: "previous",
      label: "Previous item",
      keys: ["k", "ArrowUp"],
      group: "Round",
      run: () => actions.move(-1),
    },
    { id: "keys", label: "Keyboard shortcuts", keys: ["?"], group: "Round", run: actions.help },
  ];
}
