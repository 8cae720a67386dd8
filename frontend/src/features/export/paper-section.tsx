/** What a paper takes from the study: its report, its tables, and its methods and results in sentences. */
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { ExportFormat, PaperTable } from "../../api/schema";
import { Button, CopyButton } from "../../components/button";
import { Section } from "../../components/page";
import { QueryView, Skeleton } from "../../components/query-view";
import { type Column, Table } from "../../components/table";
import { explained, withTerms } from "../../components/term";
import { countOf } from "../../lib/numbers";
import { saveFile } from "../../lib/save-file";
import styles from "./export.module.css";
import { FileButton } from "./file-button";
import { useMethods } from "./preliminary";

/** Created above all other formats. */
export const REPORT = "report-html";

interface PaperSectionProps {
  readonly slug: string;
  /** None for those who create no files. */
  readonly formats: UseQueryResult<readonly ExportFormat[]> | null;
}

export function PaperSection({ slug, formats }: PaperSectionProps) {
  return (
    <Section title="For your paper">
      <div className={styles["paper"]}>
        {formats && (
          <QueryView query={formats} loading={<Skeleton lines={2} />}>
            {(list) => <Report slug={slug} report={list.find(({ key }) => key === REPORT)} />}
          </QueryView>
        )}
        <Tables slug={slug} />
        <Methods slug={slug} />
      </div>
    </Section>
  );
}

interface ReportProps {
  readonly slug: string;
  readonly report: ExportFormat | undefined;
}

function Report({ slug, report }: ReportProps) {
  const { standing } = useMethods(slug);
  if (!report) return null;
  return (
    <section className={styles["part"]}>
      <div className={styles["words"]}>
        <h3>Report</h3>
        <p>{report.summary}</p>
        <p className="soft">
          {countOf(report.row_count, report.unit)} · <code>{report.file_name}</code>
        </p>
      </div>
      {/* Where nothing is imported, that comes first. */}
      <FileButton
        format={report}
        words="Create report"
        variant={standing === "empty" ? "secondary" : "primary"}
      />
    </section>
  );
}

function Tables({ slug }: Pick<PaperSectionProps, "slug">) {
  const query = useQuery(read("/api/projects/{slug}/paper-tables", { slug }));
  return (
    <QueryView query={query} loading={<Skeleton lines={6} />}>
      {({ systems, judges }) => (
        <>
          <TablePart title="Systems table" name="systems" table={systems} />
          <TablePart title="Judges table" name="judges" table={judges} />
        </>
      )}
    </QueryView>
  );
}

interface TablePartProps {
  readonly title: string;
  /** What its rows are. */
  readonly name: "systems" | "judges";
  readonly table: PaperTable;
}

type Line = readonly string[];

function TablePart({ title, name, table }: TablePartProps) {
  return (
    <section className="stack">
      <h3>{title}</h3>
      {table.rows.length === 0 ? (
        <p className="soft">{EMPTY[name]}</p>
      ) : (
        <>
          <p className="soft">{table.about}</p>
          <Table
            caption={title}
            columns={columnsOf(table)}
            rows={table.rows}
            rowKey={(row) => `${table.rows.indexOf(row)}`}
            keepsOrder
          />
          <div className="row">
            <CopyButton text={table.latex} name={`${name} as LaTeX`} />
            <SaveButton name={table.latex_name} text={table.latex} type="application/x-tex" />
            <CopyButton text={table.csv} name={`${name} as CSV`} />
            <SaveButton name={table.csv_name} text={table.csv} type="text/csv" />
          </div>
        </>
      )}
    </section>
  );
}

const EMPTY = {
  systems: "The table appears here after answers are imported.",
  judges: "The table appears here after people have decided answers that a judge has judged.",
} as const;

/** Until systems are ranked, a column of ranks would only hold dashes; the files keep it. */
function columnsOf({ columns, rows }: PaperTable): readonly Column<Line>[] {
  return columns
    .map(columnOf)
    .filter((_, place) => !columns[place]?.startsWith("Rank") || rows.some((row) => row[place] !== "–"));
}

/** A number and its interval stay on one line. */
function cellOf(row: Line, place: number) {
  return place === 0 ? row[place] : <span className={styles["number"]}>{row[place]}</span>;
}

function columnOf(header: string, place: number): Column<Line> {
  return {
    key: `${place}`,
    header,
    align: place === 0 ? "start" : "end",
    cell: (row) => cellOf(row, place),
    explains: header.startsWith("Cohen’s κ") ? explained("cohens-κ") : undefined,
  };
}

function SaveButton({
  name,
  text,
  type,
}: {
  readonly name: string;
  readonly text: string;
  readonly type: string;
}) {
  return (
    <Button size="small" variant="quiet" onClick={() => saveFile(name, new Blob([text], { type }))}>
      Download {name}
    </Button>
  );
}

const IN_METHODS = {
  "tie-break": "tie-break",
  interval: "interval",
  intervals: "interval",
  "Fleiss’ κ": "fleiss-κ",
  "Cohen’s κ": "cohens-κ",
  "Gwet’s AC1": "gwets-ac1",
  verdicts: "verdict",
  audit: "audit",
} as const;

function Methods({ slug }: Pick<PaperSectionProps, "slug">) {
  const { methods, standing } = useMethods(slug);
  return (
    <section className="stack">
      <h3>Methods and results</h3>
      <QueryView query={methods} loading={<Skeleton lines={5} />}>
        {({ paragraphs }) => {
          if (standing === undefined) return <Skeleton lines={5} />;
          if (standing !== "judged")
            return <p className="soft">The text appears here after people have judged.</p>;
          return <MethodsText paragraphs={paragraphs} />;
        }}
      </QueryView>
    </section>
  );
}

function MethodsText({ paragraphs }: { readonly paragraphs: readonly string[] }) {
  return (
    <div className="stack">
      <p className="soft">
        This text describes how the study was conducted and what it found. You can copy it into a paper.
      </p>
      <div>
        <CopyButton text={paragraphs.join("\n\n")} name="methods and results" />
      </div>
      {/* A region that scrolls must be reachable by keyboard. */}
      <div className={styles["text"]} role="region" aria-label="Methods and results" tabIndex={0}>
        {withTerms(paragraphs, IN_METHODS).map((said, place) => (
          <p key={paragraphs[place]}>{said}</p>
        ))}
      </div>
    </div>
  );
}
