/** A native modal dialog: the browser keeps the focus inside and gives it back. */
import { type ReactNode, useEffect, useId, useRef } from "react";
import { t } from "../lib/i18n/t";
import { classNames } from "../lib/class-names";
import { Button } from "./button";
import styles from "./dialog.module.css";

interface DialogProps {
  readonly open: boolean;
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons at the foot, the safe one first. */
  readonly actions?: ReactNode;
  readonly wide?: boolean;
}

export function Dialog({ open, ...rest }: DialogProps) {
  return open ? <OpenDialog {...rest} /> : null;
}

function OpenDialog({ title, onClose, children, actions, wide }: Omit<DialogProps, "open">) {
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
