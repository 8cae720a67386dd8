/** All answers, each counted once by who decided it, so that nothing people judged goes unnamed. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { DecidedBy } from "../../api/schema";
import { Section } from "../../components/page";
import { numberColumn, type Column, Table } from "../../components/table";
import { formatPercent } from "../../lib/numbers";
import { type Part, partsOf } from "./words";

interface DecidedSectionProps {
  readonly slug: string;
  /** A calibration sample stands, or a policy is active. */
  readonly isBegun: boolean;
}

export function DecidedSection({ slug, isBegun }: DecidedSectionProps) {
  const query = useQuery({
    ...read("/api/projects/{slug}/prejudging/decided-by", { slug }),
    enabled: isBegun,
  });
  if (!isBegun || !query.data || query.data.answers === 0) return null;
  return (
    <Section title="Who decided the answers">
      <Parts counts={query.data} />
    </Section>
  );
}

function Parts({ counts }: { readonly counts: DecidedBy }) {
  return (
    <Table
      keepsOrder
      isNarrow
      caption="All answers, by who decided them"
      columns={COLUMNS}
      rows={partsOf(counts)}
      rowKey={({ name }) => name}
      file={{ name: "who-decided-the-answers" }}
      note="Each answer counts once. Other work: answers that no rule settled, and answers that people judged outside the audit and the calibration sample, for example, while the calibration sample was open."
    />
  );
}

const COLUMNS: readonly Column<Part>[] = [
  { key: "part", header: "Part", value: ({ name }) => name },
  numberColumn("answers", "Answers", ({ count }) => count),
  numberColumn("share", "Share of all answers", ({ share }) => share, { format: formatPercent }),
];
