/** The hidden known answers that a rater got wrong, the latest first. */
import type { RaterDetail } from "../../api/contract";
import { LabelMark } from "../../components/label-mark";
import { ProjectLink } from "../../components/project-link";
import { RelativeTime } from "../../components/relative-time";
import { type Column, Table } from "../../components/table";
import styles from "./raters.module.css";

type Miss = RaterDetail["known_misses"][number];

interface MissTableProps {
  readonly rater: RaterDetail;
  readonly nameOf: (label: string) => string;
}

export function MissTable({ rater, nameOf }: MissTableProps) {
  return (
    <Table
      caption="Known answers that were missed"
      columns={columnsOf(nameOf)}
      rows={rater.known_misses}
      rowKey={(miss) => miss.answer}
    />
  );
}

function columnsOf(nameOf: (label: string) => string): Column<Miss>[] {
  return [
    {
      key: "answer",
      header: "Answer",
      isRowHeader: true,
      cell: (miss) => (
        <span className={styles["answer"]}>
          <ProjectLink page={`answers/${miss.answer}`}>
            <span dir="auto">{miss.text || "(empty)"}</span>
          </ProjectLink>
          <span className={styles["soft"]} dir="auto">
            {miss.question}
          </span>
        </span>
      ),
    },
    { key: "said", header: "Said", cell: ({ label }) => <LabelMark label={label} name={nameOf(label)} /> },
    { key: "known", header: "Known", cell: ({ known }) => <LabelMark label={known} name={nameOf(known)} /> },
    { key: "at", header: "When", align: "end", cell: ({ at }) => <RelativeTime at={at} /> },
  ];
}
