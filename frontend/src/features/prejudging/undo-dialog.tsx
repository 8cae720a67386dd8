/** Takes back what programs settled, naming what goes back to raters. */
import { useQueryClient } from "@tanstack/react-query";
import { keyOf, post } from "../../api/client";
import { ConfirmDialog } from "../../components/confirm-dialog";

interface UndoDialogProps {
  readonly slug: string;
  readonly application: string;
  /** Null takes back all of it. */
  readonly rule: number | null;
  readonly what: string;
  readonly onClose: () => void;
}

export function UndoDialog({ slug, application, rule, what, onClose }: UndoDialogProps) {
  const queryClient = useQueryClient();
  return (
    <ConfirmDialog
      title="Give answers back to people?"
      confirm="Give them back"
      reasonLabel="Why"
      onConfirm={async (reason) => {
        await post("/api/projects/{slug}/prejudging/undo", { slug }, { application, rule, reason });
        await queryClient.invalidateQueries({ queryKey: keyOf("/api/projects/{slug}", { slug }) });
      }}
      onClose={onClose}
    >
      <p>
        {what} is withdrawn and goes to raters. The history keeps both. What people have decided since stays.
        The policy keeps its rules: before you apply it again, take out those that should no longer settle
        anything. The audit’s intervals already allow for rules undone for how they look.
      </p>
    </ConfirmDialog>
  );
}
