/** Creates a file in a format, and becomes the link that downloads it. */
import { useState } from "react";
import { keyOf, post } from "../../api/client";
import { useProject } from "../../api/project";
import type { Export, ExportFormat } from "../../api/schema";
import { Button, DownloadLink } from "../../components/button";
import { useWrite } from "../../components/use-write";
import { formatBytes } from "../../lib/numbers";
import styles from "./export.module.css";
import { addressOf, isInWork, useFiles } from "./files";

interface FileButtonProps {
  readonly format: Pick<ExportFormat, "key" | "name">;
  /** What the button says in place of “Create file”. */
  readonly words?: string;
  readonly variant?: "primary" | "secondary";
}

export function FileButton({ format, words = "Create file", variant = "secondary" }: FileButtonProps) {
  const { slug } = useProject();
  const files = useFiles();
  const [made, setMade] = useState<Export | null>(null);
  const start = useWrite(() => post("/api/projects/{slug}/exports", { slug }, { format: format.key }), {
    refusal: "note",
    stale: [keyOf("/api/projects/{slug}/exports", { slug })],
    onDone: setMade,
  });
  const file = made && (files.data?.find(({ id }) => id === made.id) ?? made);
  const isBusy = start.isPending || (file !== null && isInWork(file));
  const isReady = !isBusy && file?.state === "finished";
  const says = isBusy ? "Creating file" : isReady ? "Create again" : words;
  return (
    <div className={styles["made"]}>
      {isReady && (
        <DownloadLink key={file.id} ref={takeFocus} href={addressOf(file)} variant={variant}>
          Download ({formatBytes(file.size)})<span className="visually-hidden">: {format.name}</span>
        </DownloadLink>
      )}
      {/* The same button throughout, so that it keeps the focus until there is a link. */}
      <Button
        key="create"
        variant={isReady ? "quiet" : variant}
        size={isReady ? "small" : "medium"}
        busy={isBusy}
        onClick={() => start.mutate()}
        aria-label={`${says}: ${format.name}`}
      >
        {isBusy ? "Creating file…" : says}
      </Button>
      {!isBusy && file?.state === "failed" && (
        <p role="alert" className={styles["message"]}>
          {file.message}
        </p>
      )}
    </div>
  );
}

/** The link takes over from the button that created it, where that has the focus. */
function takeFocus(link: HTMLAnchorElement | null): void {
  const { activeElement } = document;
  const isHere = activeElement === document.body || link?.parentElement?.contains(activeElement);
  if (isHere) link?.focus({ preventScroll: true });
}
