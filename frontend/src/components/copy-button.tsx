/** Copies a text and says so. */
import { useEffect, useState } from "react";
import { t } from "../lib/i18n/t";
import { Button } from "./button";

interface CopyButtonProps {
  readonly text: string;
  /** What is copied, for the button's words: "Copy link". */
  readonly name: string;
  readonly size?: "small" | "medium";
  readonly variant?: "primary" | "secondary";
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

export function CopyButton({ text, name, size = "small", variant = "secondary" }: CopyButtonProps) {
  const [said, setSaid] = useState<string | null>(null);
  useEffect(() => {
    if (said === null) return;
    const timer = setTimeout(() => setSaid(null), SAID_FOR_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const press = async () => setSaid((await copy(text)) ? t("Copied") : t("Select it and copy by hand"));
  return (
    <Button size={size} variant={variant} onClick={() => void press()}>
      <span aria-live="polite">{said ?? t("Copy {name}", { name })}</span>
    </Button>
  );
}
