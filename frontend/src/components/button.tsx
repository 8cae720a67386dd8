/** A button, or a link that looks like one. */
import { Link, type LinkComponentProps } from "@tanstack/react-router";
import type { ButtonHTMLAttributes } from "react";
import { classNames } from "../lib/class-names";
import styles from "./button.module.css";
import { KeyHint } from "./key-hint";

type Variant = "primary" | "secondary" | "quiet" | "danger";

interface Look {
  readonly variant?: Variant;
  readonly size?: "small" | "medium" | "large";
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, Look {
  /** The key that does the same, printed on the button. */
  readonly hint?: string | undefined;
  /** Shows that the work goes on; the button keeps its width and its focus. */
  readonly busy?: boolean;
}

function lookOf({ variant = "secondary", size = "medium" }: Look, extra?: string): string {
  return classNames(styles["button"], styles[variant], styles[size], extra);
}

export function Button({ variant, size, hint, busy, className, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={lookOf({ variant, size }, className)}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {children}
      {hint && <KeyHint name={hint} />}
    </button>
  );
}

export function ButtonLink({ variant, size, className, ...rest }: LinkComponentProps & Look) {
  return (
    <Link {...rest} className={lookOf({ variant, size }, typeof className === "string" ? className : "")} />
  );
}
