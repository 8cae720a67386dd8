/** Dialogs: the frame, one that asks for a word of assent, and one that holds a form. */
import type { QueryKey } from "@tanstack/react-query";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { classNames } from "../lib/class-names";
import { t } from "../lib/i18n/t";
import { Button } from "./button";
import styles from "./dialog.module.css";
import { Form, Refusal, type Sending, TextArea } from "./form";
import { useWrite } from "./use-write";

interface DialogProps {
  readonly title: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons at the foot, the safe one first. */
  readonly actions?: ReactNode;
  readonly wide?: boolean;
}

export function Dialog({ title, onClose, children, actions, wide }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    if (element && !element.open) element.showModal();
    // React's autoFocus comes too early: what is in a closed dialog cannot have the focus.
    element?.querySelector<HTMLElement>("[data-autofocus]")?.focus();
    return () => {
      element?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      data-modal
      aria-labelledby={titleId}
      className={classNames(styles["dialog"], wide && styles["wide"])}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div className={styles["body"]}>
        <header className={styles["header"]}>
          <h2 id={titleId}>{title}</h2>
          <Button variant="quiet" size="small" onClick={onClose}>
            {t("Close")}
          </Button>
        </header>
        {children}
        {actions && <footer className={styles["actions"]}>{actions}</footer>}
      </div>
    </dialog>
  );
}

interface ConfirmDialogProps {
  readonly title: string;
  readonly children: ReactNode;
  /** The act, as the button says it. */
  readonly confirm: string;
  /** The question for the reason; absent means none is asked. */
  readonly reasonLabel?: string;
  readonly onConfirm: (reason: string) => Promise<unknown>;
  /** The read whose new state its reply is. */
  readonly keeps?: QueryKey;
  /** What it changes, by address. */
  readonly stale?: readonly QueryKey[];
  readonly note?: string;
  readonly onClose: () => void;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const [reason, setReason] = useState("");
  const { keeps, stale, note, onClose } = props;
  const act = useWrite(() => props.onConfirm(reason.trim()), { keeps, stale, note, onDone: onClose });
  const lacksReason = props.reasonLabel !== undefined && reason.trim() === "";
  return (
    <Dialog
      title={props.title}
      onClose={props.onClose}
      actions={
        <>
          <Button data-autofocus={props.reasonLabel === undefined || undefined} onClick={props.onClose}>
            {t("Cancel")}
          </Button>
          <Button variant="danger" busy={act.isPending} disabled={lacksReason} onClick={() => act.mutate()}>
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
          hint={t("Required. Saved in the history.")}
          value={reason}
          onChange={setReason}
        />
      )}
      <Refusal error={act.error} />
    </Dialog>
  );
}

interface FormDialogProps {
  readonly title: ReactNode;
  /** What sending the form does, in a word. */
  readonly action: string;
  /** The way out, in a word; null where closing is the only one. */
  readonly cancel?: string | null;
  readonly variant?: "primary" | "danger";
  /** Buttons before the way out. */
  readonly actions?: ReactNode;
  readonly wide?: boolean;
  /** Absent where nothing is sent to the server. */
  readonly write?: Sending;
  readonly isReady?: boolean;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function FormDialog(props: FormDialogProps) {
  const { action, cancel = "Cancel", variant = "primary", isReady = true, write } = props;
  const form = useId();
  return (
    <Dialog
      wide={props.wide ?? false}
      title={props.title}
      onClose={props.onClose}
      actions={
        <>
          {props.actions}
          {cancel !== null && <Button onClick={props.onClose}>{cancel}</Button>}
          <Button
            type="submit"
            form={form}
            variant={variant}
            busy={write?.isPending ?? false}
            disabled={!isReady}
          >
            {action}
          </Button>
        </>
      }
    >
      <Form id={form} onSubmit={props.onSubmit}>
        {props.children}
        <Refusal error={write?.error ?? null} />
      </Form>
    </Dialog>
  );
}
