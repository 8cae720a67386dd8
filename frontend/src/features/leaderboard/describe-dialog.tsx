/** What pages call a system, and what is known of it. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import type { System } from "../../api/contract";
import { messageOf } from "../../api/error";
import { changeSystem } from "../../api/imports/change-system";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { Select, TextField } from "../../components/field";
import { FieldRow } from "../../components/field-row";
import { Form } from "../../components/form";
import { Notice } from "../../components/notice";
import { changeOf, describedAs, type Description, descriptionComplaints } from "./description";

interface DescribeDialogProps {
  readonly slug: string;
  readonly system: System;
  readonly onClose: () => void;
}

export function DescribeDialog({ slug, system, onClose }: DescribeDialogProps) {
  const form = useId();
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState<Description>(() => describedAs(system));
  const complaints = descriptionComplaints(draft);
  const save = useMutation({
    mutationFn: () => changeSystem(slug, system.id, changeOf(draft)),
    onSuccess: async () => {
      // Labels, sizes and tracks stand on every page of comparison.
      await queryClient.invalidateQueries({ queryKey: ["project", slug] });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (Object.keys(complaints).length === 0) save.mutate();
  };
  const field = (name: keyof Description) => ({
    value: draft[name],
    error: complaints[name] ?? null,
    onChange: (event: { readonly target: { readonly value: string } }) =>
      setDraft((before) => ({ ...before, [name]: event.target.value })),
  });
  return (
    <Dialog
      open
      title={`Describe ${system.label}`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} variant="primary" busy={save.isPending}>
            Save
          </Button>
        </>
      }
    >
      <Form id={form} onSubmit={submit}>
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
        {save.isError && <Notice tone="danger">{messageOf(save.error)}</Notice>}
      </Form>
    </Dialog>
  );
}
