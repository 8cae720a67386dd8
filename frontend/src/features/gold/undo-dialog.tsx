/** Takes one change of the gold list back, with a reason. */
import { useQueryClient } from "@tanstack/react-query";
import { keyOf, post } from "../../api/client";
import type { GoldChange } from "../../api/contract";
import { ConfirmDialog } from "../../components/confirm-dialog";

interface UndoDialogProps {
  readonly slug: string;
  readonly change: GoldChange;
  readonly onClose: () => void;
}

export function UndoDialog({ slug, change, onClose }: UndoDialogProps) {
  const queryClient = useQueryClient();
  const undo = async (reason: string) => {
    await post("/api/projects/{slug}/gold/{change}/undo", { slug, change: change.id }, { reason });
    await queryClient.invalidateQueries({ queryKey: keyOf("/api/projects/{slug}", { slug }) });
  };
  return (
    <ConfirmDialog
      title={
        change.action === "added" ? "Take this answer off the gold list again?" : "Put this answer back?"
      }
      confirm="Undo the change"
      reasonLabel="Why"
      onConfirm={undo}
      onClose={onClose}
    >
      <p>
        <strong dir="auto">{change.text}</strong>
        <br />
        <span dir="auto">{change.question}</span>
      </p>
      <p>
        Scores against the amended gold list change with it. The decision about the answer itself stays as it
        is.
      </p>
    </ConfirmDialog>
  );
}
