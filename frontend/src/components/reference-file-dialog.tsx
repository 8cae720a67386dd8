/** Published numbers from a CSV file: looked at first, then kept as a whole. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keyOf, post } from "../api/client";
import type { ReferencesRead } from "../api/contract";
import { messageOf } from "../api/error";
import { countOf, formatPercent } from "../lib/numbers";
import { Button } from "./button";
import { Dialog } from "./dialog";
import { FileDrop } from "./file-drop";
import { Notice } from "./notice";
import { Table } from "./table";

interface ReferenceFileDialogProps {
  readonly slug: string;
  readonly onClose: () => void;
}

export function ReferenceFileDialog({ slug, onClose }: ReferenceFileDialogProps) {
  const queryClient = useQueryClient();
  const [content, setContent] = useState("");
  const look = useMutation({
    mutationFn: async (file: File) => {
      const text = await file.text();
      setContent(text);
      return post(
        "/api/projects/{slug}/reference-scores/import",
        { slug },
        { content: text, is_dry_run: true },
      );
    },
  });
  const keep = useMutation({
    mutationFn: () =>
      post("/api/projects/{slug}/reference-scores/import", { slug }, { content, is_dry_run: false }),
    onSuccess: async (read) => {
      await queryClient.invalidateQueries({
        queryKey: keyOf("/api/projects/{slug}/reference-scores", { slug }),
      });
      if (read.problems.length === 0) onClose();
    },
  });
  const read = keep.data ?? look.data;
  const error = keep.error ?? look.error;
  return (
    <Dialog
      open
      wide
      title="Published numbers from a file"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            busy={keep.isPending}
            disabled={!read || read.problems.length > 0}
            onClick={() => keep.mutate()}
          >
            {read && read.problems.length === 0 ? `Add ${countOf(read.references.length, "number")}` : "Add"}
          </Button>
        </>
      }
    >
      <FileDrop
        label="Choose a CSV file, or drop it here"
        hint="Columns: name, measure, percent, source; and subject, n, about, dataset, system, prompt, source_url where known."
        accept=".csv,text/csv"
        multiple={false}
        onFiles={([file]) => {
          keep.reset();
          if (file) look.mutate(file);
        }}
      />
      {error && <Notice tone="danger">{messageOf(error)}</Notice>}
      {read && (read.problems.length > 0 ? <Problems read={read} /> : <Preview read={read} />)}
    </Dialog>
  );
}

function Problems({ read }: { readonly read: ReferencesRead }) {
  return (
    <Notice tone="warning" title="Nothing is added until the file is mended.">
      <ul>
        {read.problems.slice(0, 20).map(({ line, column, message }) => (
          <li key={`${line} ${column} ${message}`}>
            {line > 0 && `Line ${line}`}
            {line > 0 && column && `, ${column}`}
            {line > 0 && ": "}
            {message}
          </li>
        ))}
      </ul>
      {read.problems.length > 20 && <p>And {countOf(read.problems.length - 20, "further problem")}.</p>}
    </Notice>
  );
}

const PREVIEWED = 5;

function Preview({ read }: { readonly read: ReferencesRead }) {
  return (
    <Table
      caption="What the file holds"
      rows={read.references.slice(0, PREVIEWED)}
      rowKey={({ subject, name, measure, about, dataset, system, prompt }) =>
        JSON.stringify([subject, name, measure, about, dataset, system, prompt])
      }
      columns={[
        { key: "name", header: "Name", isRowHeader: true, cell: ({ name }) => name },
        { key: "measure", header: "Measured by", cell: ({ measure }) => measure },
        { key: "value", header: "Percent", align: "end", cell: ({ value }) => formatPercent(value) },
        { key: "source", header: "Source", cell: ({ source }) => source },
      ]}
      footer={
        read.references.length > PREVIEWED && (
          <tr>
            <td colSpan={4}>And {countOf(read.references.length - PREVIEWED, "further row")}.</td>
          </tr>
        )
      }
    />
  );
}
