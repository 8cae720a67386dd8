/** Buttons, links that look like them, and one that copies a text. */
import { Link, type LinkComponentProps } from "@tanstack/react-router";
import {
  type AnchorHTMLAttributes,
  type ButtonHTMLAttributes,
  type RefAttributes,
  useEffect,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { classNames } from "../lib/class-names";
import { t } from "../lib/i18n/t";
import styles from "./button.module.css";
import { KeyHint } from "./key-hint";

type Variant = "primary" | "secondary" | "quiet" | "danger";

interface Look {
  readonly variant?: Variant;
  readonly size?: "small" | "medium" | "large";
}

interface ButtonProps
  extends ButtonHTMLAttributes<HTMLButtonElement>, RefAttributes<HTMLButtonElement>, Look {
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
  readonly variant?: ButtonProps["variant"];
  readonly onCopied?: () => void;
  /** What it is called where several look alike: "message for Ada", of which `name` is the first word. */
  readonly of?: string;
  /** Whether the button goes on saying that it was pressed. */
  readonly stays?: boolean;
}

const SAID_FOR_MS = 2_500;

/** Whether the browser let the page copy the text. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Browsers keep the clipboard from pages that are not served over HTTPS or from this machine.
    return false;
  }
}

/** Select all of a field and copy it the older way, which also works over plain HTTP. */
function copyFrom(field: HTMLTextAreaElement): boolean {
  field.focus();
  field.select();
  // Deprecated, but nothing else copies there; some browsers lack it.
  return "execCommand" in document && document.execCommand("copy");
}

/** Copies a text. Where the browser does not let it, the text stands below, selected, until it is copied. */
export function CopyButton({ text, name, size = "small", variant, onCopied, of, stays }: CopyButtonProps) {
  const [said, setSaid] = useState<string | null>(null);
  const [byHand, setByHand] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (said === null || stays) return;
    const timer = setTimeout(() => setSaid(null), SAID_FOR_MS);
    return () => clearTimeout(timer);
  }, [said, stays]);
  const press = async () => {
    if (!(await copyText(text))) {
      flushSync(() => setByHand(true));
      if (!field.current || !copyFrom(field.current)) return;
      setByHand(false);
      button.current?.focus();
    }
    setSaid(t("Copied"));
    onCopied?.();
  };
  return (
    <>
      <Button
        ref={button}
        size={size}
        {...(variant && { variant })}
        {...(of && { "aria-label": said ? `${said}: ${of}` : t("Copy {name}", { name: of }) })}
        onClick={() => void press()}
      >
        <span aria-live="polite">{said ?? t("Copy {name}", { name })}</span>
      </Button>
      {byHand && (
        <label className={styles["by-hand"]}>
          {t("Your browser did not allow copying. Copy the text here:")}
          <textarea
            ref={field}
            readOnly
            onCopy={onCopied}
            rows={Math.min(text.split("\n").length, 6)}
            value={text}
          />
        </label>
      )}
    </>
  );
}
