/** Systems by their scores, before and after amendment, and beside each other. */
import { SubNav } from "./sub-nav";

export type LeaderboardPageName =
  "leaderboard" | "leaderboard/amendments" | "leaderboard/datasets" | "leaderboard/systems";

const PAGES = [
  { page: "leaderboard", name: "Scores" },
  { page: "leaderboard/amendments", name: "Before and after" },
  { page: "leaderboard/datasets", name: "By data set" },
  { page: "leaderboard/systems", name: "Systems beside each other" },
] as const satisfies readonly { readonly page: LeaderboardPageName; readonly name: string }[];

export function LeaderboardNav({ current }: { readonly current: LeaderboardPageName }) {
  return <SubNav label="Leaderboard" pages={PAGES} current={current} />;
}
