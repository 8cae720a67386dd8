/** Answers that exact match rejects, as people decided them: a sentence, and the counts behind it. */
import type { BeyondExactMatch } from "../../api/schema";
import { figureColumn } from "../../components/figure";
import { type Column, numberColumn, Table } from "../../components/table";
import { weightWords } from "../../domain/judged";
import { countOf, formatCount, formatPercent } from "../../lib/numbers";

type Row = BeyondExactMatch["answers"];

export function BeyondSection({ found }: { readonly found: BeyondExactMatch }) {
  return (
    <>
      <p className="soft">{beyondWords(found)}</p>
      <Table
        caption="People’s decisions on answers that exact match rejects"
        keepsOrder
        rows={rowsOf(found)}
        rowKey={({ key }) => key}
        columns={found.has_possible ? [...COUNTS, ...THREE] : [...COUNTS, figureColumn<Row>("accepted")]}
        file={{ name: "beyond-exact-match", signature: found.signature }}
      />
    </>
  );
}

/** What people accept beyond exact match, in a sentence. */
export function beyondWords(found: BeyondExactMatch): string {
  const {
    answers: { counts, figures },
    has_possible,
    weighed,
  } = found;
  const { rejected = 0, decided = 0 } = counts;
  const all = `Exact match rejects ${countOf(rejected, "distinct answer")}.`;
  if (decided === 0) return `${all} People have not decided any of them yet.`;
  const those = `${all} People have decided ${decided === rejected ? "all" : formatCount(decided)} of them`;
  const share = (name: string) => formatPercent(figures[name]?.value);
  const intervals = "Intervals are computed over questions.";
  if (weighed)
    return `${those}. ${weightWords({ weighed })} People would accept an estimated ${share(has_possible ? "either" : "accepted")} of all ${formatCount(rejected)}${has_possible ? `, ${share("definitely")} as definitely correct` : ""}. These shares are estimates, so they do not match the counts. ${intervals}`;
  if (!has_possible) return `${those} and accepted ${share("accepted")} of those. ${intervals}`;
  return `${those}. Of those, they labeled ${share("definitely")} definitely correct and ${share("possibly")} possibly correct. ${intervals}`;
}

/** Without systems there are only the answers themselves; one system's are not all systems' once more. */
function rowsOf({ systems, predictions, answers }: BeyondExactMatch): Row[] {
  return [...systems, ...(systems.length > 1 ? [predictions] : []), answers];
}

const COUNTS: readonly Column<Row>[] = [
  { key: "answers", header: "Answers from", value: ({ name }) => name },
  numberColumn("rejected", "Rejected by exact match", ({ counts }) => counts["rejected"]),
  numberColumn("decided", "Decided by people", ({ counts }) => counts["decided"], {
    csv: ({ counts: { decided, definite, possible } }) => ({ decided, definite, possible }),
  }),
];
const THREE = (["definitely", "possibly", "either"] as const).map((name) => figureColumn<Row>(name));
