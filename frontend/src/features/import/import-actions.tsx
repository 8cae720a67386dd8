/** What can be done with an import: store it, forget it, or take all of it back. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { del, keyOf, post, read } from "../../api/client";
import type { Import } from "../../api/contract";
import { messageOf } from "../../api/error";
import { importQuery } from "../../api/imports";
import { Button } from "../../components/button";
import { ConfirmDialog } from "../../components/confirm-dialog";
import { useToast } from "../../components/toast";
import styles from "./import.module.css";
import { canBeRead, countWords } from "./states";

interface ImportActionsProps {
  readonly slug: string;
  readonly found: Import;
  /** Whether choices stand on the page that the files were not checked by. */
  readonly isChanged: boolean;
  readonly onClose: () => void;
}

export function ImportActions({ slug, found, isChanged, onClose }: ImportActionsProps) {
  if (canBeRead(found) || found.state === "failed") {
    return <OpenActions slug={slug} found={found} isChanged={isChanged} onClose={onClose} />;
  }
  if (found.state === "checking") return <CancelAction slug={slug} found={found} />;
  return found.state === "applied" ? <UndoAction slug={slug} found={found} /> : null;
}

function CancelAction({ slug, found }: Pick<ImportActionsProps, "slug" | "found">) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const cancelling = useMutation({
    mutationFn: () => post("/api/projects/{slug}/imports/{id}/cancel", { slug, id: found.id }),
    onSuccess: (after) => queryClient.setQueryData(importQuery(slug, found.id).queryKey, after),
    onError: (error) => toast({ text: messageOf(error), tone: "error" }),
  });
  return (
    <div className={styles["actions"]}>
      <Button busy={cancelling.isPending} onClick={() => cancelling.mutate()}>
        Cancel
      </Button>
    </div>
  );
}

function OpenActions({ slug, found, isChanged, onClose }: ImportActionsProps) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const onError = (error: unknown) => toast({ text: messageOf(error), tone: "error" });
  const confirmation = useMutation({
    mutationFn: () => post("/api/projects/{slug}/imports/{id}/confirm", { slug, id: found.id }),
    onSuccess: (after) => {
      queryClient.setQueryData(importQuery(slug, found.id).queryKey, after);
      // What was imported shows on every page of the project.
      void queryClient.invalidateQueries({ queryKey: keyOf("/api/projects/{slug}", { slug }) });
    },
    onError,
  });
  const discarding = useMutation({
    mutationFn: () => del("/api/projects/{slug}/imports/{id}", { slug, id: found.id }),
    onSuccess: async () => {
      onClose();
      await queryClient.invalidateQueries({
        queryKey: read("/api/projects/{slug}/imports", { slug }).queryKey,
      });
    },
    onError,
  });
  return (
    <div className={styles["actions"]}>
      {found.state === "ready" && (
        <Button
          variant="primary"
          busy={confirmation.isPending}
          disabled={isChanged}
          onClick={() => confirmation.mutate()}
        >
          Import it
        </Button>
      )}
      <Button busy={discarding.isPending} onClick={() => discarding.mutate()}>
        Discard
      </Button>
      {isChanged && (
        <p className={styles["soft"]} role="status">
          Choices below were changed: the files are checked by them first.
        </p>
      )}
    </div>
  );
}

function UndoAction({ slug, found }: Pick<ImportActionsProps, "slug" | "found">) {
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState(false);
  const undo = async () => {
    const after = await post("/api/projects/{slug}/imports/{id}/undo", { slug, id: found.id });
    queryClient.setQueryData(importQuery(slug, found.id).queryKey, after);
    await queryClient.invalidateQueries({ queryKey: keyOf("/api/projects/{slug}", { slug }) });
  };
  return (
    <div className={styles["actions"]}>
      <Button variant="danger" size="small" onClick={() => setAsking(true)}>
        Undo this import
      </Button>
      {asking && (
        <ConfirmDialog
          title="Take the whole import back?"
          confirm="Undo the import"
          onConfirm={undo}
          onClose={() => setAsking(false)}
        >
          <p>The project loses everything that came with it: {countWords(found.counts)}.</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
