/** Published numbers of systems or of judges: the list of all, and for leads adding and taking out. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { del, keyOf, post, read } from "../api/client";
import type { ReferenceScore } from "../api/schema";
import { useProject } from "../api/project";
import { Button } from "../components/button";
import { More } from "../components/list";
import { Section } from "../components/page";
import { RelativeTime } from "../components/relative-time";
import { type Column, numberColumn, Table } from "../components/table";
import { useToast } from "../components/toast";
import { useWrite } from "../components/use-write";
import { isWebAddress } from "../lib/addresses";
import { countOf, formatCount, formatPoints } from "../lib/numbers";
import { ReferenceDialog, ReferenceFileDialog } from "./reference-dialogs";
import { type Measure, measureName } from "./references";

interface ReferenceScoresProps {
  readonly subject: ReferenceScore["subject"];
  readonly measures: readonly Measure[];
}

type Asking = "one" | "file" | null;

export function ReferenceScores({ subject, measures }: ReferenceScoresProps) {
  const project = useProject();
  const [asking, setAsking] = useState<Asking>(null);
  const query = useQuery(read("/api/projects/{slug}/reference-scores", { slug: project.slug }));
  const own = (query.data ?? []).filter((each) => each.subject === subject);
  const isLead = project.role === "lead" && project.state !== "archived";
  if (!query.data || (own.length === 0 && !isLead)) return null;
  const close = () => setAsking(null);
  const of = subject === "system" ? "systems" : "judges";
  return (
    <Section title="Published results">
      <p className="soft">
        {own.length > 0
          ? `These results for ${of} were published elsewhere.`
          : `You can add published results for ${of}.`}{" "}
        They are marked in tables and excluded from ranks and tests.
      </p>
      <InForce rows={own} measures={measures} isLead={isLead} />
      {isLead && (
        <div className="row">
          <Button size="small" onClick={() => setAsking("one")}>
            Add published result
          </Button>
          <Button size="small" variant="quiet" onClick={() => setAsking("file")}>
            Import from CSV
          </Button>
        </div>
      )}
      <TakenOut rows={own} measures={measures} isLead={isLead} />
      {asking === "one" && (
        <ReferenceDialog slug={project.slug} subject={subject} measures={measures} onClose={close} />
      )}
      {asking === "file" && <ReferenceFileDialog slug={project.slug} onClose={close} />}
    </Section>
  );
}

interface ListProps {
  readonly rows: readonly ReferenceScore[];
  readonly measures: readonly Measure[];
  readonly isLead: boolean;
}

function InForce({ rows, measures, isLead }: ListProps) {
  const { remove } = useMoving();
  const inForce = rows.filter(({ removed_at }) => removed_at === null);
  if (inForce.length === 0) return null;
  const columns: Column<ReferenceScore>[] = [...columnsOf(measures)];
  if (isLead) columns.push(actionColumn("Remove", (row) => remove.mutate(row)));
  return (
    <Table
      caption="Published results"
      folds
      rows={inForce}
      rowKey={({ id }) => id}
      columns={columns}
      file={{ name: "published-numbers", lines: inForce.map((row) => csvRow(row)) }}
    />
  );
}

function TakenOut({ rows, measures, isLead }: ListProps) {
  const { restore } = useMoving();
  const removed = rows.filter(({ removed_at }) => removed_at !== null);
  if (removed.length === 0) return null;
  const columns: Column<ReferenceScore>[] = [
    ...columnsOf(measures),
    {
      key: "removed",
      header: "Removed",
      cell: ({ removed_by, removed_at }) => (
        <>
          {removed_by} <RelativeTime at={removed_at ?? ""} />
        </>
      ),
    },
  ];
  if (isLead) columns.push(actionColumn("Restore", (row) => restore.mutate(row)));
  return (
    <More summary={`Removed: ${countOf(removed.length, "result")}`}>
      <Table
        caption="Removed published results"
        folds
        rows={removed}
        rowKey={({ id }) => id}
        columns={columns}
        file={{ name: "published-numbers-taken-out", lines: removed.map((row) => csvRow(row)) }}
      />
    </More>
  );
}

function columnsOf(measures: readonly Measure[]): readonly Column<ReferenceScore>[] {
  return [
    { key: "name", header: "Name", value: ({ name }) => name },
    { key: "measure", header: "Measure", cell: ({ measure }) => measureName(measure, measures) },
    numberColumn("value", "Percent", ({ value }) => value, { format: formatPoints }),
    { key: "n", header: "n", align: "end", cell: ({ n }) => formatCount(n) },
    { key: "about", header: "Measured on", cell: (row) => onWords(row) || "–" },
    { key: "source", header: "Source", cell: (row) => <Source row={row} /> },
  ];
}

/** What it belongs to, and what it was measured on otherwise. */
function onWords({ prompt, dataset, system, about }: ReferenceScore): string {
  const parts = [prompt && `prompt ${prompt}`, dataset, system && `answers by ${system}`, about];
  return parts.filter(Boolean).join(", ");
}

function Source({ row }: { readonly row: ReferenceScore }) {
  if (!isWebAddress(row.source_url)) return row.source;
  return (
    <a href={row.source_url} target="_blank" rel="noreferrer noopener">
      {row.source}
    </a>
  );
}

function actionColumn(words: string, act: (row: ReferenceScore) => void): Column<ReferenceScore> {
  return {
    key: "act",
    header: <span className="visually-hidden">{words}</span>,
    cell: (row) => (
      <Button size="small" variant="quiet" atEdge onClick={() => act(row)}>
        {words}
        <span className="visually-hidden">: {row.name}</span>
      </Button>
    ),
  };
}

function csvRow(row: ReferenceScore) {
  const { subject, name, measure, value, n, about, source, source_url, dataset, system, prompt } = row;
  const percent = Number((value * 100).toFixed(8));
  return { subject, name, measure, percent, n, about, source, source_url, dataset, system, prompt };
}

/** Taking out says so with the way back beside it. */
function useMoving() {
  const { slug } = useProject();
  const toast = useToast();
  const stale = [keyOf("/api/projects/{slug}/reference-scores", { slug })];
  const restore = useWrite(
    ({ id }: ReferenceScore) =>
      post("/api/projects/{slug}/reference-scores/{reference}/restore", { slug, reference: id }),
    { stale, refusal: "note" },
  );
  const remove = useWrite(
    ({ id }: ReferenceScore) =>
      del("/api/projects/{slug}/reference-scores/{reference}", { slug, reference: id }),
    {
      stale,
      refusal: "note",
      onDone: (row) => {
        const action = { name: "Restore", run: () => restore.mutate(row) };
        toast({ text: `${row.name} was removed.`, action });
      },
    },
  );
  return { remove, restore };
}
