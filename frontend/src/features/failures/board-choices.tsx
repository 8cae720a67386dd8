/** Which failure board, of which tags, judge, system or lengths: each choice, and each cell, is an address. */
import type { Query } from "../../api/client";
import type { FailureBoard } from "../../api/schema";
import { Choice } from "../../components/form";
import type { SearchState } from "../../lib/search-state";
import { BOARDS, wordsOf } from "./board-words";

export type Bands = NonNullable<FailureBoard["bands"]>;

/** The board that an address asks for; what does not belong to it is left out. */
export function wantedOf(
  search: SearchState,
): Query<"/api/projects/{slug}/failure-board"> & { readonly board: FailureBoard["board"] } {
  const board = wordsOf(search.read("board")).value;
  const [set, run, system] = [search.read("set"), search.read("run"), search.read("system")];
  const bands = bandsOf(search.read("bands"));
  if (board === "length") return { board, ...(system && { system }), ...(bands && { bands }) };
  if (board === "unattributable") return { board, ...(set && { set }), ...(system && { system }) };
  return { board, ...(set && { set }), ...(board === "errors" && run && { run }) };
}

function bandsOf(text: string | undefined): Bands | undefined {
  return text === "wide" || text === "narrow" ? text : undefined;
}

/** Whether the answers behind a cell are those of one system, which not every adjudicator may see. */
export function isBySystem({ system, systems }: FailureBoard, column: string): boolean {
  return system !== "" || systems.some(({ key }) => key === column);
}

/** Where the answers behind a cell are listed; without a row, those behind the column's rate. */
export function behindCell(board: FailureBoard, column: string, row?: string): Record<string, string> {
  const { board: kind, set, run, system, bands } = board;
  const address = { board: kind, set, run, system, bands: bands ?? "", column, row: row ?? "" };
  return Object.fromEntries(Object.entries(address).filter(([, value]) => value !== ""));
}

const BANDS = [
  { key: "narrow", name: "For short answers" },
  { key: "wide", name: "35 words each, as in EVOUNA" },
];
const FRESH = { set: undefined, run: undefined, system: undefined, bands: undefined };

interface BoardChoicesProps {
  readonly kind: FailureBoard["board"];
  /** Undefined while it loads. */
  readonly board: FailureBoard | undefined;
  readonly search: SearchState;
}

export function BoardChoices({ kind, board, search }: BoardChoicesProps) {
  return (
    <div className="row-at-end">
      <Choice
        label="Board"
        value={kind}
        options={BOARDS}
        onChange={(board) => search.write({ ...FRESH, board })}
      />
      {board &&
        choicesOf(board).map(({ key, label, value, options }) => (
          <Choice
            key={key}
            label={label}
            value={value}
            options={options.map((option) => ({ value: option.key, name: option.name }))}
            onChange={(value) => search.write({ [key]: value })}
          />
        ))}
    </div>
  );
}

function choicesOf({ board, set, sets, run, runs, system, systems, bands }: FailureBoard) {
  const bySystem = {
    key: "system",
    label: "System",
    value: system,
    options: [{ key: "", name: "All systems" }, ...systems],
  };
  const choices =
    board === "length"
      ? [bySystem, { key: "bands", label: "Length groups", value: bands ?? "", options: BANDS }]
      : [
          ...(board === "unattributable" ? [bySystem] : []),
          { key: "set", label: "Tag set", value: set, options: sets },
          { key: "run", label: "Judge", value: run, options: runs },
        ];
  return choices.filter(({ options }) => options.length > 1);
}
