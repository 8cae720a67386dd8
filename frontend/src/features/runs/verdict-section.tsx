/** The verdicts of a run, page by page, with the raw reply beside each. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { get, read, readPages, type Query } from "../../api/client";
import type { Run, RunVerdict } from "../../api/schema";
import { Badge } from "../../components/badge";
import { Choice, optionsOf } from "../../components/form";
import { Pagination } from "../../components/pagination";
import { QueryView, Skeleton } from "../../components/query-view";
import { type Column, numberColumn, Table } from "../../components/table";
import { AnswerCell } from "../../domain/answer";
import { countOf, formatMoney } from "../../lib/numbers";
import { type SearchState, useSearchState } from "../../lib/search-state";
import styles from "./run-page.module.css";
import { reasonWords } from "./run-words";

const VERDICTS = "/api/projects/{slug}/runs/{run_id}/verdicts";
type VerdictFilter = Query<typeof VERDICTS>;

interface VerdictSectionProps {
  readonly slug: string;
  readonly run: Run;
}

export function VerdictSection({ slug, run }: VerdictSectionProps) {
  const search = useSearchState();
  const place = { slug, run_id: run.id };
  const filter = filterOf(search);
  const verdicts = read(VERDICTS, place, filter);
  const readAll = () =>
    readPages(
      (turn) => get(VERDICTS, place, { ...filter, ...turn }),
      (found) => found.verdicts,
    );
  const query = useQuery({
    ...verdicts,
    // A run at work is read anew as it goes on.
    queryKey: [...verdicts.queryKey, `${run.done} judged`],
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <VerdictFilterFields search={search} run={run} />
      <QueryView query={query} loading={<Skeleton lines={8} />}>
        {(found) =>
          found.count === 0 ? (
            <p className="soft">No matching verdicts.</p>
          ) : (
            <>
              <p className="soft">{countOf(found.count, "verdict")}</p>
              <Table
                folds
                keepsOrder
                caption="Verdicts"
                columns={COLUMNS}
                rows={found.verdicts}
                rowKey={(row) => row.answer_id}
                file={{ name: "verdicts", readAll }}
              />
              <Pagination label="Pages of verdicts" of={found} shown={found.verdicts.length} />
            </>
          )
        }
      </QueryView>
    </>
  );
}

function filterOf(search: SearchState): VerdictFilter {
  const verdict = search.read("verdict") as VerdictFilter["verdict"];
  const reason = search.read("reason");
  const flag = search.read("flag");
  return {
    cursor: search.read("cursor"),
    ...(verdict && { verdict }),
    ...(reason && { reason }),
    ...(flag && { flag }),
  };
}

function VerdictFilterFields({ search, run }: { readonly search: SearchState; readonly run: Run }) {
  return (
    <div className={styles["filter"]}>
      <Choice
        label="Verdict"
        value={search.read("verdict")}
        options={optionsOf({ accepted: "Accepted", rejected: "Rejected", unscored: "Could not judge" })}
        empty="Any"
        onChange={(verdict) => search.write({ verdict, reason: undefined, cursor: undefined })}
      />
      {run.failures.length > 0 && (
        <Choice
          label="Reason for no verdict"
          value={search.read("reason")}
          options={run.failures.map(({ reason }) => ({ value: reason, name: reasonWords(reason) }))}
          onChange={(reason) => search.write({ reason, verdict: undefined, cursor: undefined })}
          empty="Any reason"
        />
      )}
    </div>
  );
}

/** What was asked, what the judge was given, what it said and how it was read. */
const COLUMNS: readonly Column<RunVerdict>[] = [
  {
    key: "answer",
    header: "Answer",
    cell: (row) => <AnswerCell id={row.answer_id} answer={row.answer} question={row.question} />,
    csv: ({ answer_id: id, question, answer }) => ({ id, question, answer }),
  },
  {
    key: "gold",
    header: "Gold answers",
    cell: (row) => <span dir="auto">{row.golds.join(" · ") || "–"}</span>,
    value: ({ golds }) => golds.join(" | "),
  },
  {
    key: "verdict",
    header: "Verdict",
    cell: (row) => <VerdictCell row={row} />,
    csv: ({ accepted, unscored_reason: reason }) => ({
      verdict: accepted === null ? "unscored" : accepted ? "accepted" : "rejected",
      reason,
    }),
  },
  numberColumn("score", "Score", ({ score }) => score, { format: (score) => score.toFixed(3) }),
  {
    key: "reply",
    header: "Reply",
    cell: (row) => <Reply row={row} />,
    csv: ({ flags, raw_reply: reply }) => ({ flags: flags.join(" | "), reply }),
  },
];

function VerdictCell({ row }: { readonly row: RunVerdict }) {
  return (
    <span className={styles["verdict"]}>
      {row.accepted === null ? (
        <Badge tone="warning">{reasonWords(row.unscored_reason)}</Badge>
      ) : (
        <span>{row.accepted ? "Accepted" : "Rejected"}</span>
      )}
      {row.flags.map((flag) => (
        <Badge key={flag} tone="danger">
          {reasonWords(flag)}
        </Badge>
      ))}
    </span>
  );
}

function Reply({ row }: { readonly row: RunVerdict }) {
  if (!row.raw_reply && row.calls.length === 0) return "–";
  return (
    <>
      {row.raw_reply && (
        <pre className={styles["reply"]} dir="auto">
          {row.raw_reply}
        </pre>
      )}
      {row.calls.length > 0 && <p className="soft">{callWords(row.calls)}</p>}
    </>
  );
}

function callWords(calls: RunVerdict["calls"]): string {
  const cost = calls.reduce((sum, { cost }) => sum + Number(cost), 0);
  const tokens = calls.reduce((sum, call) => sum + call.input_tokens + call.output_tokens, 0);
  const errors = calls.filter(({ error }) => error).length;
  const words = [countOf(calls.length, "call"), countOf(tokens, "token"), formatMoney(cost)];
  if (errors > 0) words.push(`${errors} failed`);
  return words.join(" · ");
}
