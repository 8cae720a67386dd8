/** Makes or changes a connection. A key is typed once, kept encrypted, and never shown again. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keyOf, patch, post } from "../../api/client";
import type { Connection } from "../../api/contract";
import { ApiError, messageOf } from "../../api/error";
import { FormDialog } from "../../components/form-dialog";
import { ConnectionFields } from "./connection-fields";
import { type Draft, draftOf, EMPTY, requestOf } from "./draft";

interface ConnectionDialogProps {
  readonly slug: string;
  /** Absent for a new one. */
  readonly connection?: Connection;
  readonly onClose: () => void;
}

export function ConnectionDialog({ slug, connection, onClose }: ConnectionDialogProps) {
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState<Draft>(connection ? draftOf(connection) : EMPTY);
  const save = useMutation({
    mutationFn: async () =>
      connection
        ? patch(
            "/api/projects/{slug}/connections/{connection_id}",
            { slug, connection_id: connection.id },
            requestOf(draft),
          )
        : post("/api/projects/{slug}/connections", { slug }, requestOf(draft)),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: keyOf("/api/projects/{slug}/connections", { slug }) });
      onClose();
    },
  });
  const complaint = (field: string) =>
    save.error instanceof ApiError ? save.error.fieldMessage(field) : null;
  return (
    <FormDialog
      wide
      title={connection ? `Change ${connection.name}` : "Connect a model"}
      action={connection ? "Save" : "Connect"}
      isBusy={save.isPending}
      refusal={save.isError ? wordsOf(save.error) : null}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <ConnectionFields
        draft={draft}
        connection={connection}
        complaint={complaint}
        onChange={(changes) => setDraft((before) => ({ ...before, ...changes }))}
      />
    </FormDialog>
  );
}

function wordsOf(error: unknown): string {
  return error instanceof SyntaxError ? "The further parameters are no JSON object." : messageOf(error);
}
