/** The pages about judges, beside each other. */
import { t } from "../lib/i18n/t";
import { SubNav } from "./sub-nav";

export type JudgesPage = "runs" | "runs/board" | "runs/prejudging" | "runs/connections" | "runs/prompts";

const PAGES = [
  { page: "runs", name: "Runs" },
  { page: "runs/board", name: "Against people" },
  { page: "runs/prejudging", name: "Pre-judging" },
  { page: "runs/connections", name: "Connections" },
  { page: "runs/prompts", name: "Prompts" },
] as const satisfies readonly { readonly page: JudgesPage; readonly name: string }[];

export function JudgesNav({ current }: { readonly current: JudgesPage }) {
  return (
    <SubNav
      label={t("Judges")}
      pages={PAGES.map(({ page, name }) => ({ page, name: t(name) }))}
      current={current}
    />
  );
}
