/** Which failure board, of which set of tags, judge, system or classes of length; each choice in the address. */
import type { FailureBoard } from "../../api/schema";
import { Select } from "../../components/form";
import type { SearchState } from "../../lib/search-state";
import { BOARDS } from "./board-words";
import styles from "./failures.module.css";

const BANDS = [
  { key: "narrow", name: "For short answers" },
  { key: "wide", name: "35 words each, as EVOUNA’s" },
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
    <div className={styles["choosing"]}>
      <Select
        label="Board"
        value={kind}
        onChange={({ target }) => search.write({ ...FRESH, board: target.value })}
      >
        {BOARDS.map(({ value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </Select>
      {board &&
        choicesOf(board).map(({ key, label, value, options }) => (
          <Select
            key={key}
            label={label}
            value={value}
            onChange={({ target }) => search.write({ [key]: target.value })}
          >
            {options.map((option) => (
              <option key={option.key} value={option.key}>
                {option.name}
              </option>
            ))}
          </Select>
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
      ? [bySystem, { key: "bands", label: "Lengths", value: bands, options: BANDS }]
      : [
          ...(board === "unattributable" ? [bySystem] : []),
          { key: "set", label: "Set of tags", value: set, options: sets },
          { key: "run", label: "Judge", value: run, options: runs },
        ];
  return choices.filter(({ options }) => options.length > 1);
}
