/** The pages of a project, by place and role, in the order of the work: what the navigation leads to. */
import type { RoleEnum } from "../api/schema";

const LEAD: readonly RoleEnum[] = ["lead"];
const LEADS: readonly RoleEnum[] = ["lead", "adjudicator"];
const ANNOTATOR: readonly RoleEnum[] = ["annotator"];
const VIEWER: readonly RoleEnum[] = ["viewer"];
const LEAD_AND_VIEWER: readonly RoleEnum[] = ["lead", "viewer"];
const ALL_BUT_ANNOTATORS: readonly RoleEnum[] = ["lead", "adjudicator", "viewer"];

/** A page is one line here; pages of one place stand beside each other. opens: the part it begins with, unless itself. */
const PAGES = [
  { place: "Overview", path: "overview", name: "Overview", roles: LEAD_AND_VIEWER },
  { place: "Setup", path: "import", name: "Import", roles: LEAD },
  { place: "Setup", path: "sample", name: "Questions to judge", roles: LEAD },
  { place: "Setup", path: "protocol", name: "Protocol", roles: LEAD },
  { place: "Setup", path: "people", name: "People", roles: LEAD },
  { place: "Setup", path: "work", name: "Work plan", roles: LEAD },
  { place: "Setup", path: "prejudging", name: "Pre-judging", roles: LEAD },
  { place: "Human judging", path: "judge", name: "Judge answers", roles: ANNOTATOR },
  { place: "Human judging", path: "judged", name: "Your judgments", roles: ANNOTATOR },
  { place: "Human judging", path: "agreement/raters", name: "Annotators", roles: LEAD },
  { place: "Human judging", path: "queue", name: "Adjudication", roles: LEADS },
  { place: "Human judging", path: "agreement", name: "Agreement", roles: ALL_BUT_ANNOTATORS },
  { place: "Results", path: "leaderboard", name: "Leaderboard", roles: ALL_BUT_ANNOTATORS },
  { place: "Results", path: "runs", name: "Automatic judges", roles: LEAD, opens: "runs/board" },
  { place: "Results", path: "runs/board", name: "Judges compared with people", roles: VIEWER },
  { place: "Results", path: "failures", name: "Failures", roles: ALL_BUT_ANNOTATORS },
  { place: "Data", path: "answers", name: "Answers", roles: ALL_BUT_ANNOTATORS },
  { place: "Data", path: "gold", name: "Gold answers", roles: ALL_BUT_ANNOTATORS },
  { place: "Data", path: "export", name: "Export", roles: LEAD_AND_VIEWER },
  { place: "Settings", path: "settings", name: "Settings", roles: LEAD },
] as const;

/** Pages of several parts, of which the first is where the navigation leads. */
const PARTS = [
  { page: "work", path: "work", name: "Plan", roles: LEAD },
  { page: "work", path: "work/known-answers", name: "Known answers", roles: LEAD },
  { page: "leaderboard", path: "leaderboard", name: "Scores", roles: ALL_BUT_ANNOTATORS },
  {
    page: "leaderboard",
    path: "leaderboard/amendments",
    name: "Original and amended gold",
    roles: ALL_BUT_ANNOTATORS,
  },
  { page: "leaderboard", path: "leaderboard/datasets", name: "By data set", roles: ALL_BUT_ANNOTATORS },
  { page: "leaderboard", path: "leaderboard/systems", name: "Systems compared", roles: ALL_BUT_ANNOTATORS },
  { page: "runs", path: "runs/board", name: "Judges compared with people", roles: LEAD },
  { page: "runs", path: "runs", name: "Runs", roles: LEAD },
  { page: "runs", path: "runs/connections", name: "Connections", roles: LEAD },
  { page: "runs", path: "runs/prompts", name: "Prompts", roles: LEAD },
  { page: "failures", path: "failures", name: "Rounds", roles: ALL_BUT_ANNOTATORS },
  { page: "failures", path: "failures/board", name: "Boards", roles: ALL_BUT_ANNOTATORS },
  { page: "failures", path: "failures/sets", name: "Tag sets", roles: ALL_BUT_ANNOTATORS },
  { page: "gold", path: "gold", name: "List", roles: ALL_BUT_ANNOTATORS },
  { page: "gold", path: "gold/proposals", name: "Proposals", roles: LEAD },
  { page: "settings", path: "settings", name: "General", roles: LEAD },
  { page: "settings", path: "settings/activity", name: "Activity", roles: LEAD },
  { page: "settings", path: "settings/webhooks", name: "Webhooks", roles: LEAD },
] as const;

export type ProjectPage = (typeof PAGES)[number];
export type Part = (typeof PARTS)[number];

/** Where the navigation leads. */
export function opens(page: ProjectPage): string {
  return "opens" in page ? page.opens : page.path;
}

export interface Place {
  readonly name: ProjectPage["place"];
  readonly pages: readonly [ProjectPage, ...ProjectPage[]];
}

/** What a role has, by place. */
export function placesOf(role: RoleEnum): Place[] {
  const places = new Map<Place["name"], [ProjectPage, ...ProjectPage[]]>();
  for (const page of PAGES.filter(({ roles }) => roles.includes(role))) {
    const pages = places.get(page.place);
    if (pages) pages.push(page);
    else places.set(page.place, [page]);
  }
  return [...places].map(([name, pages]) => ({ name, pages }));
}

/** What of a page a role has, where that is more than one part. */
export function partsOf(page: ProjectPage | undefined, role: RoleEnum): Part[] {
  const parts = PARTS.filter((part) => part.page === page?.path && part.roles.includes(role));
  return parts.length > 1 ? parts : [];
}

/** The one in which an address below the project lies: that with the longest path there. */
export function findCurrent<Entry extends { readonly path: string }>(
  entries: readonly Entry[],
  address: string,
): Entry | undefined {
  return entries
    .filter(({ path }) => address === path || address.startsWith(`${path}/`))
    .sort((left, right) => right.path.length - left.path.length)[0];
}

/** Where a role lands when it opens a project. */
export function firstPage(role: RoleEnum): string {
  return placesOf(role)[0]?.pages[0].path ?? "judge";
}
