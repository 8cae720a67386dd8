/** The forms of export: what one gets, how much, how it begins, and the command that does the same. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { keyOf, post } from "../../api/client";
import type { ExportFormat } from "../../api/contract";
import { messageOf } from "../../api/error";
import { Button } from "../../components/button";
import { CommandLine } from "../../components/command-line";
import { useToast } from "../../components/toast";
import { plural, t } from "../../lib/i18n/t";
import { useLanguage } from "../../lib/i18n/use-language";
import { countOf } from "../../lib/numbers";
import styles from "./format-list.module.css";

interface FormatListProps {
  readonly slug: string;
  readonly formats: readonly ExportFormat[];
}

export function FormatList({ slug, formats }: FormatListProps) {
  return (
    <ul className={styles["list"]}>
      {formats.map((format) => (
        <FormatRow key={format.key} slug={slug} format={format} />
      ))}
    </ul>
  );
}

function FormatRow({ slug, format }: { readonly slug: string; readonly format: ExportFormat }) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const start = useMutation({
    mutationFn: () => post("/api/projects/{slug}/exports", { slug }, { format: format.key }),
    onSuccess: (file) =>
      toast({
        text:
          file.state === "finished"
            ? "The file is ready at the top of this page."
            : "The file is being made; it appears at the top of this page.",
      }),
    onError: (error) => toast({ text: messageOf(error), tone: "error" }),
    onSettled: () =>
      queryClient.invalidateQueries({ queryKey: keyOf("/api/projects/{slug}/exports", { slug }) }),
  });
  return (
    <li className={styles["format"]}>
      <div className={styles["words"]}>
        <h3>{format.name}</h3>
        <p>{format.summary}</p>
        <p className={styles["facts"]}>
          {countOf(format.row_count, format.unit)} · <code>{format.file_name}</code>
        </p>
        {format.left_out && <LeftOut {...format.left_out} />}
      </div>
      <Button
        busy={start.isPending}
        onClick={() => start.mutate()}
        aria-label={`Make the file: ${format.name}`}
      >
        Make the file
      </Button>
      <Preview format={format} />
    </li>
  );
}

function LeftOut({ equal_to_gold, equal_to_addition }: NonNullable<ExportFormat["left_out"]>) {
  return (
    <div className={styles["facts"]} lang={useLanguage()}>
      {equal_to_gold + equal_to_addition === 0 && <p>{t("No added answer is left out.")}</p>}
      {equal_to_gold > 0 && (
        <p>
          {plural(
            equal_to_gold,
            "{count} added answer is left out: exact match holds it equal to a gold answer of the files.",
            "{count} added answers are left out: exact match holds each equal to a gold answer of the files.",
          )}
        </p>
      )}
      {equal_to_addition > 0 && (
        <p>
          {plural(
            equal_to_addition,
            "{count} added answer is left out: exact match holds it equal to another added answer.",
            "{count} added answers are left out: exact match holds each equal to another added answer.",
          )}
        </p>
      )}
    </div>
  );
}

function Preview({ format }: { readonly format: ExportFormat }) {
  return (
    <div className={styles["preview"]}>
      {format.preview.length === 0 ? (
        <p className={styles["facts"]}>It would be empty now.</p>
      ) : (
        <pre className={styles["lines"]} tabIndex={0} aria-label={`First lines of ${format.file_name}`}>
          {format.preview.join("\n")}
        </pre>
      )}
      <details className={styles["command"]}>
        <summary>The command that does the same</summary>
        <CommandLine command={format.command} />
      </details>
    </div>
  );
}
