/** All formats but the report, by what they hold, folded away below what most people come for. */
import type { ReactNode } from "react";
import type { ExportFormat } from "../../api/schema";
import { CommandLine } from "../../components/command-line";
import { More } from "../../components/list";
import { withTerms } from "../../components/term";
import { plural, t } from "../../lib/i18n/t";
import { useLanguage } from "../../lib/i18n/use-language";
import { countOf } from "../../lib/numbers";
import styles from "./export.module.css";
import { FileButton } from "./file-button";

const GROUPS: readonly { readonly key: ExportFormat["group"]; readonly title: string }[] = [
  { key: "gold", title: "Gold lists" },
  { key: "votes", title: "Votes" },
  { key: "answers", title: "Answers and verdicts" },
  { key: "other", title: "Other" },
  { key: "paper", title: "For a paper" },
];

export function FormatList({ formats }: { readonly formats: readonly ExportFormat[] }) {
  const filled = formats.filter((format) => format.row_count > 0);
  const empty = formats.filter((format) => format.row_count === 0);
  return (
    <div className={styles["groups"]}>
      {GROUPS.map(({ key, title }) => (
        <FormatGroup key={key} title={title} formats={filled.filter(({ group }) => group === key)} />
      ))}
      {empty.length > 0 && (
        <More summary={`Formats without any data yet (${empty.length})`}>
          <p className="soft">A file in any of these formats would contain no rows.</p>
          <FormatRows formats={empty} />
        </More>
      )}
    </div>
  );
}

interface FormatGroupProps {
  readonly title: string;
  readonly formats: readonly ExportFormat[];
}

function FormatGroup({ title, formats }: FormatGroupProps) {
  if (formats.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <FormatRows formats={formats} />
    </section>
  );
}

function FormatRows({ formats }: Pick<FormatGroupProps, "formats">) {
  const summaries = withTerms(
    formats.map(({ summary }) => summary),
    EXPLAINED,
  );
  return (
    <ul className="ruled">
      {formats.map((format, place) => (
        <FormatRow key={format.key} format={format} summary={summaries[place]} />
      ))}
    </ul>
  );
}

/** Said where a group of formats mentions it first. */
const EXPLAINED = {
  "amended gold": "amended-gold",
  verdict: "verdict",
  verdicts: "verdict",
  "known answers": "known-answer",
} as const;

interface FormatRowProps {
  readonly format: ExportFormat;
  readonly summary: ReactNode;
}

function FormatRow({ format, summary }: FormatRowProps) {
  return (
    <li className={styles["format"]}>
      <div className={styles["words"]}>
        <h4>{format.name}</h4>
        <p>{summary}</p>
        <p className="soft">
          {countOf(format.row_count, format.unit)} · <code>{format.file_name}</code>
        </p>
        {format.left_out && <LeftOut {...format.left_out} />}
      </div>
      <FileButton format={format} />
      <div className={styles["preview"]}>
        <More summary="Preview and command line">
          <div className={styles["preview"]}>
            <Preview format={format} />
            <CommandLine command={format.command} />
          </div>
        </More>
      </div>
    </li>
  );
}

function LeftOut({ equal_to_gold, equal_to_addition }: NonNullable<ExportFormat["left_out"]>) {
  return (
    <div className="soft" lang={useLanguage()}>
      {equal_to_gold + equal_to_addition === 0 && <p>{t("All added answers are included.")}</p>}
      {equal_to_gold > 0 && (
        <p>
          {plural(
            equal_to_gold,
            "{count} added answer is left out because exact match treats it as equal to an original gold answer.",
            "{count} added answers are left out because exact match treats each as equal to an original gold answer.",
          )}
        </p>
      )}
      {equal_to_addition > 0 && (
        <p>
          {plural(
            equal_to_addition,
            "{count} added answer is left out because exact match treats it as equal to another added answer.",
            "{count} added answers are left out because exact match treats each as equal to another added answer.",
          )}
        </p>
      )}
    </div>
  );
}

function Preview({ format }: { readonly format: ExportFormat }) {
  if (format.preview.length === 0) return <p className="soft">The file would currently be empty.</p>;
  return (
    <pre className={styles["lines"]} tabIndex={0} aria-label={`First lines of ${format.file_name}`}>
      {format.preview.join("\n")}
    </pre>
  );
}
