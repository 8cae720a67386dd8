/** The answers that rules speak for, with the verdicts behind each and what people said since. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { Audit, SettledAnswer } from "../../api/contract";
import { AnswerCell } from "../../components/answer-cell";
import { Select } from "../../components/field";
import { LabelMark } from "../../components/label-mark";
import { Pagination } from "../../components/pagination";
import { QueryView } from "../../components/query-view";
import { type Column, Table } from "../../components/table";
import { useSearchState } from "../../lib/search-state";
import styles from "./prejudging.module.css";

interface SettledListProps {
  readonly slug: string;
  readonly audit: Audit;
}

export function SettledList({ slug, audit }: SettledListProps) {
  const search = useSearchState();
  const rule = search.readNumber("rule", 0);
  const audited = search.read("audited");
  const filter = {
    page: search.readNumber("page", 1),
    ...(rule > 0 && { rule }),
    ...(audited !== undefined && { audited: audited === "true" }),
  };
  const query = useQuery({
    ...read("/api/projects/{slug}/prejudging/answers", { slug }, filter),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <div className={styles["filter"]}>
        <Select
          label="Rule"
          value={rule || ""}
          onChange={(event) => search.write({ rule: event.target.value, page: undefined })}
        >
          <option value="">Any</option>
          {audit.rules.map(({ number, text }) => (
            <option key={number} value={number}>
              {number}. {text}
            </option>
          ))}
        </Select>
        <Select
          label="Who decides"
          value={audited ?? ""}
          onChange={(event) => search.write({ audited: event.target.value, page: undefined })}
        >
          <option value="">Anybody</option>
          <option value="false">The rule</option>
          <option value="true">Raters, drawn for the audit</option>
        </Select>
      </div>
      <QueryView query={query}>
        {(found) => (
          <>
            <Table
              folds
              caption="Settled answers"
              columns={COLUMNS}
              rows={found.answers}
              rowKey={(answer) => answer.id}
            />
            <Pagination
              label="Pages of settled answers"
              page={found.page}
              pageCount={found.page_count}
              onChange={(page) => search.write({ page: page === 1 ? undefined : page })}
            />
          </>
        )}
      </QueryView>
    </>
  );
}

const COLUMNS: readonly Column<SettledAnswer>[] = [
  {
    key: "answer",
    header: "Answer",
    isRowHeader: true,
    cell: ({ id, answer, question }) => <AnswerCell {...{ id, answer, question }} />,
  },
  { key: "rule", header: "Rule", align: "end", cell: (row) => row.rule },
  { key: "label", header: "The rule says", cell: (row) => <LabelMark label={row.label} /> },
  {
    key: "verdicts",
    header: "Because",
    cell: (row) =>
      row.verdicts.map(({ judge, accepted }) => `${judge} ${accepted ? "accepts" : "rejects"}`).join(", "),
  },
  {
    key: "people",
    header: "People say",
    cell: (row) => {
      if (row.people) return <LabelMark label={row.people} />;
      return row.audited ? "not yet" : "not asked";
    },
  },
];
