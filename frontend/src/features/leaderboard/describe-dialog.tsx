/** What pages call a system, and what is known of it. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keyOf, patch } from "../../api/client";
import type { System } from "../../api/schema";
import { messageOf } from "../../api/error";
import { FormDialog } from "../../components/dialog";
import { FieldRow, Select, TextField } from "../../components/form";
import { changeOf, describedAs, type Description, descriptionComplaints } from "./description";

interface DescribeDialogProps {
  readonly slug: string;
  readonly system: System;
  readonly onClose: () => void;
}

export function DescribeDialog({ slug, system, onClose }: DescribeDialogProps) {
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState<Description>(() => describedAs(system));
  const complaints = descriptionComplaints(draft);
  const save = useMutation({
    mutationFn: () => patch("/api/projects/{slug}/systems/{id}", { slug, id: system.id }, changeOf(draft)),
    onSuccess: async () => {
      // Labels, sizes and tracks stand on every page of comparison.
      await queryClient.invalidateQueries({ queryKey: keyOf("/api/projects/{slug}", { slug }) });
      onClose();
    },
  });
  const submit = () => {
    if (Object.keys(complaints).length === 0) save.mutate();
  };
  const field = (name: keyof Description) => ({
    value: draft[name],
    error: complaints[name] ?? null,
    onChange: (event: { readonly target: { readonly value: string } }) =>
      setDraft((before) => ({ ...before, [name]: event.target.value })),
  });
  return (
    <FormDialog
      title={`Describe ${system.label}`}
      action="Save"
      isBusy={save.isPending}
      refusal={save.isError ? messageOf(save.error) : null}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField autoFocus label="What pages call it" maxLength={200} {...field("label")} />
      <FieldRow>
        <TextField label="Size at rest" inputMode="decimal" {...field("size")} />
        <Select label="Unit" {...field("unit")}>
          <option value="MiB">MiB</option>
          <option value="GiB">GiB</option>
        </Select>
      </FieldRow>
      <FieldRow>
        <TextField label="Passages read" inputMode="numeric" {...field("depth")} />
        <Select label="Book" {...field("book")}>
          <option value="">Not known</option>
          <option value="open">Open: it looks things up</option>
          <option value="closed">Closed: it answers from memory</option>
        </Select>
      </FieldRow>
      <TextField label="Track" maxLength={100} {...field("track")} />
    </FormDialog>
  );
}
