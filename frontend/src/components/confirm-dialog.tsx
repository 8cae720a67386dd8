/** Asks before something is taken back, naming what is lost; may ask for the reason. */
import { type ReactNode, useState } from "react";
import { messageOf } from "../api/error";
import { t } from "../lib/i18n/t";
import { Button } from "./button";
import { Dialog } from "./dialog";
import { TextArea } from "./field";
import { Notice } from "./notice";

interface ConfirmDialogProps {
  readonly title: string;
  readonly children: ReactNode;
  /** The act, as the button says it. */
  readonly confirm: string;
  /** The question for the reason; absent means none is asked. */
  readonly reasonLabel?: string;
  readonly onConfirm: (reason: string) => Promise<unknown>;
  readonly onClose: () => void;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const [reason, setReason] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const act = async () => {
    setBusy(true);
    try {
      await props.onConfirm(reason.trim());
      props.onClose();
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  };
  const lacksReason = props.reasonLabel !== undefined && reason.trim() === "";
  return (
    <Dialog
      open
      title={props.title}
      onClose={props.onClose}
      actions={
        <>
          <Button data-autofocus={props.reasonLabel === undefined || undefined} onClick={props.onClose}>
            {t("Keep it")}
          </Button>
          <Button variant="danger" busy={busy} disabled={lacksReason} onClick={() => void act()}>
            {props.confirm}
          </Button>
        </>
      }
    >
      {props.children}
      {props.reasonLabel && (
        <TextArea
          autoFocus
          label={props.reasonLabel}
          hint={t("Needed: it is kept in the history.")}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      )}
      {error !== null && <Notice tone="danger">{messageOf(error)}</Notice>}
    </Dialog>
  );
}
