/** Makes or changes a connection. A key is typed once, kept encrypted, and never shown again. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { changeConnection } from "../../api/connections/change-connection";
import { createConnection } from "../../api/connections/create-connection";
import type { Connection } from "../../api/contract";
import { ApiError, messageOf } from "../../api/error";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { Form } from "../../components/form";
import { Notice } from "../../components/notice";
import { ConnectionFields } from "./connection-fields";
import { type Draft, draftOf, EMPTY, requestOf } from "./draft";

interface ConnectionDialogProps {
  readonly slug: string;
  /** Absent for a new one. */
  readonly connection?: Connection;
  readonly onClose: () => void;
}

export function ConnectionDialog({ slug, connection, onClose }: ConnectionDialogProps) {
  const form = useId();
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState<Draft>(connection ? draftOf(connection) : EMPTY);
  const save = useMutation({
    mutationFn: async () =>
      connection
        ? changeConnection(slug, connection.id, requestOf(draft))
        : createConnection(slug, requestOf(draft)),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ["project", slug, "connections"] });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  const complaint = (field: string) =>
    save.error instanceof ApiError ? save.error.fieldMessage(field) : null;
  return (
    <Dialog
      open
      wide
      title={connection ? `Change ${connection.name}` : "Connect a model"}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} variant="primary" busy={save.isPending}>
            {connection ? "Save" : "Connect"}
          </Button>
        </>
      }
    >
      <Form id={form} onSubmit={submit}>
        <ConnectionFields
          draft={draft}
          connection={connection}
          complaint={complaint}
          onChange={(changes) => setDraft((before) => ({ ...before, ...changes }))}
        />
        {save.isError && <Notice tone="danger">{wordsOf(save.error)}</Notice>}
      </Form>
    </Dialog>
  );
}

function wordsOf(error: unknown): string {
  return error instanceof SyntaxError ? "The further parameters are no JSON object." : messageOf(error);
}
