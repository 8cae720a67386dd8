/** Buttons, links that look like them, and one that copies a text. */
import { Link, type LinkComponentProps } from "@tanstack/react-router";
import {
  type AnchorHTMLAttributes,
  type ButtonHTMLAttributes,
  type RefAttributes,
  useEffect,
  useState,
} from "react";
import { classNames } from "../lib/class-names";
import { t } from "../lib/i18n/t";
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
  /** A quiet button whose words begin where what stands over it begins. */
  readonly atEdge?: boolean;
  /** Shows that the work goes on; the button keeps its width and its focus. */
  readonly busy?: boolean;
}

function lookOf({ variant = "secondary", size = "medium" }: Look, extra?: string): string {
  return classNames(styles["button"], styles[variant], styles[size], extra);
}

export function Button({
  variant,
  size,
  hint,
  atEdge,
  busy,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={lookOf({ variant, size }, classNames(className, atEdge && styles["atEdge"]))}
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

/** A link to a file that looks like a button. */
export function DownloadLink({
  variant,
  size,
  className,
  ...rest
}: AnchorHTMLAttributes<HTMLAnchorElement> & RefAttributes<HTMLAnchorElement> & Look) {
  return <a download {...rest} className={lookOf({ variant, size }, className)} />;
}

interface CopyButtonProps {
  readonly text: string;
  /** What is copied, for the button's words: "Copy link". */
  readonly name: string;
  readonly size?: "small" | "medium";
}

const SAID_FOR_MS = 2_500;

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Browsers keep the clipboard from pages that are not served over HTTPS or from this machine.
    return false;
  }
}

export function CopyButton({ text, name, size = "small" }: CopyButtonProps) {
  const [said, setSaid] = useState<string | null>(null);
  useEffect(() => {
    if (said === null) return;
    const timer = setTimeout(() => setSaid(null), SAID_FOR_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const press = async () =>
    setSaid((await copy(text)) ? t("Copied") : t("Could not copy. Select and copy the text."));
  return (
    <Button size={size} onClick={() => void press()}>
      <span aria-live="polite">{said ?? t("Copy {name}", { name })}</span>
    </Button>
  );
}
