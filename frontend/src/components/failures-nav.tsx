/** Rounds of tagging, and what came out of all of them. */
import { SubNav } from "./sub-nav";

export type FailuresPageName = "failures" | "failures/board";

const PAGES = [
  { page: "failures", name: "Rounds" },
  { page: "failures/board", name: "Boards" },
] as const satisfies readonly { readonly page: FailuresPageName; readonly name: string }[];

export function FailuresNav({ current }: { readonly current: FailuresPageName }) {
  return <SubNav label="Failures" pages={PAGES} current={current} />;
}
