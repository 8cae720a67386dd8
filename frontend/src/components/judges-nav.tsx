/** The pages about judges, beside each other. */
import { SubNav } from "./sub-nav";

export type JudgesPage = "runs" | "runs/prejudging" | "runs/connections" | "runs/prompts";

const PAGES: readonly { readonly page: JudgesPage; readonly name: string }[] = [
  { page: "runs", name: "Runs" },
  { page: "runs/prejudging", name: "Pre-judging" },
  { page: "runs/connections", name: "Connections" },
  { page: "runs/prompts", name: "Prompts" },
];

export function JudgesNav({ current }: { readonly current: JudgesPage }) {
  return <SubNav label="Judges" pages={PAGES} current={current} />;
}
