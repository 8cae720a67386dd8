/** What can be done with the thing beside it, behind one small button. */
import { type ReactNode, useRef, useState } from "react";
import { Button } from "./button";
import styles from "./menu.module.css";

interface MenuProps {
  /** What it offers, for those who hear the page. */
  readonly label: string;
  /** Buttons; each closes the menu. */
  readonly children: ReactNode;
}

export function Menu({ label, children }: MenuProps) {
  const whole = useRef<HTMLSpanElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <span
      ref={whole}
      className={styles["menu"]}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setOpen(false);
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !isOpen) return;
        setOpen(false);
        whole.current?.querySelector("button")?.focus();
      }}
    >
      <Button
        size="small"
        variant="quiet"
        aria-label={label}
        title={label}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <span aria-hidden="true">▾</span>
      </Button>
      {isOpen && (
        <span className={styles["offers"]} onClick={() => setOpen(false)}>
          {children}
        </span>
      )}
    </span>
  );
}
