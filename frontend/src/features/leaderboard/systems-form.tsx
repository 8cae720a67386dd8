/** For leads: what is known of each system, to be filled in one by one. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { keyOf, patch, read } from "../../api/client";
import type { PatchedSystemChangeRequest, System } from "../../api/schema";
import { useProject } from "../../api/project";
import { Button } from "../../components/button";
import { FormDialog } from "../../components/dialog";
import { FieldRow, fieldsOf, Select, TextField } from "../../components/form";
import { More } from "../../components/list";
import { QueryView } from "../../components/query-view";
import { Table } from "../../components/table";
import { useWrite } from "../../components/use-write";
import { ABOUT, GIB, MIB } from "./about";

export function DescribeSystems() {
  const project = useProject();
  if (project.role !== "lead" || project.state === "archived") return null;
  return (
    <More isLate summary="Describe systems: name, size, number of passages, and open or closed book">
      <Systems slug={project.slug} />
    </More>
  );
}

function Systems({ slug }: { readonly slug: string }) {
  const query = useQuery(read("/api/projects/{slug}/systems", { slug }));
  const [editing, setEditing] = useState<System | null>(null);
  return (
    <>
      <QueryView query={query}>
        {(systems) => (
          <Table
            caption="System descriptions"
            folds
            rows={systems}
            rowKey={({ id }) => id}
            columns={[
              { key: "label", header: "System", cell: ({ label }) => label },
              ...ABOUT.map(({ key, name, cell }) => ({
                key,
                header: name,
                cell: ({ description }: System) =>
                  cell((description as Readonly<Record<string, unknown>>)[key]) || "–",
              })),
              {
                key: "act",
                header: <span className="visually-hidden">Change</span>,
                cell: (system) => (
                  <Button size="small" variant="quiet" atEdge onClick={() => setEditing(system)}>
                    Describe<span className="visually-hidden"> {system.label}</span>
                  </Button>
                ),
              },
            ]}
          />
        )}
      </QueryView>
      {editing && <DescribeDialog slug={slug} system={editing} onClose={() => setEditing(null)} />}
    </>
  );
}

interface DescribeDialogProps {
  readonly slug: string;
  readonly system: System;
  readonly onClose: () => void;
}

/** What pages call a system, and what is known of it. */
function DescribeDialog({ slug, system, onClose }: DescribeDialogProps) {
  const [draft, setDraft] = useState<Description>(() => describedAs(system));
  const complaints = descriptionComplaints(draft);
  const save = useWrite(
    () => patch("/api/projects/{slug}/systems/{id}", { slug, id: system.id }, changeOf(draft)),
    {
      stale: [
        // Labels, sizes and tracks stand on every page of comparison.
        keyOf("/api/projects/{slug}", { slug }),
      ],
      onDone: onClose,
    },
  );
  const submit = () => {
    if (Object.keys(complaints).length === 0) save.mutate();
  };
  const change = (changes: Partial<Description>) => setDraft((before) => ({ ...before, ...changes }));
  const field = fieldsOf(draft, change, (name) => complaints[name as keyof Description] ?? null);
  return (
    <FormDialog
      title={`Describe ${system.label}`}
      action="Save"
      write={save}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField autoFocus label="Display name" maxLength={200} {...field("label")} />
      <FieldRow>
        <TextField label="Size on disk" inputMode="decimal" {...field("size")} />
        <Select label="Unit" {...field("unit")}>
          <option value="MiB">MiB</option>
          <option value="GiB">GiB</option>
        </Select>
      </FieldRow>
      <FieldRow>
        <TextField label="Retrieved passages" inputMode="numeric" {...field("depth")} />
        <Select label="Open or closed book" {...field("book")}>
          <option value="">Unknown</option>
          <option value="open">Open: it retrieves passages</option>
          <option value="closed">Closed: it answers from memory</option>
        </Select>
      </FieldRow>
      <TextField label="Track" maxLength={100} {...field("track")} />
    </FormDialog>
  );
}

/** As it is typed. */
interface Description {
  readonly label: string;
  readonly size: string;
  readonly unit: string;
  readonly depth: string;
  readonly book: string;
  readonly track: string;
}

export function describedAs({ label, description }: System): Description {
  const { size_bytes: size, retrieval_depth: depth, closed_book: closed, track } = description;
  const unit = size != null && size >= GIB ? "GiB" : "MiB";
  return {
    label,
    size: size == null ? "" : String(size / (unit === "GiB" ? GIB : MIB)),
    unit,
    depth: depth == null ? "" : String(depth),
    book: closed == null ? "" : closed ? "closed" : "open",
    track: track ?? "",
  };
}

/** Which field is wrong, in words. */
export function descriptionComplaints(draft: Description): Partial<Record<keyof Description, string>> {
  const size = Number(draft.size);
  const depth = Number(draft.depth);
  return {
    ...(draft.label.trim() === "" && { label: "Enter a name." }),
    ...(!(size >= 0 && size * GIB <= Number.MAX_SAFE_INTEGER) && { size: "Enter a number, such as 432.5." }),
    ...(!(Number.isInteger(depth) && depth >= 0 && depth < 2 ** 31) && {
      depth: "Enter a whole number, such as 100.",
    }),
  };
}

/** Empty fields say that nothing is known; a size is kept in whole bytes. */
export function changeOf(draft: Description): PatchedSystemChangeRequest {
  const bytes = Math.round(Number(draft.size) * (draft.unit === "GiB" ? GIB : MIB));
  return {
    label: draft.label.trim(),
    description: {
      size_bytes: draft.size.trim() === "" ? null : bytes,
      retrieval_depth: draft.depth.trim() === "" ? null : Number(draft.depth),
      closed_book: draft.book === "" ? null : draft.book === "closed",
      track: draft.track.trim() === "" ? null : draft.track.trim(),
    },
  };
}
