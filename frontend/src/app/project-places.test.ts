import { describe, expect, it } from "vitest";
import { findCurrent, firstPage, partsOf, placesOf } from "./project-places";
import { projectPages } from "./project-pages";

const ROLES = ["lead", "adjudicator", "annotator"] as const;

function pathsOf(role: (typeof ROLES)[number]): string[] {
  const pages = placesOf(role).flatMap((place) => place.pages);
  return [...pages, ...pages.flatMap((page) => partsOf(page, role))].map(({ path }) => path);
}

describe("the places of a project", () => {
  it("are the steps of the work for a lead, with the settings apart", () => {
    expect(placesOf("lead").map(({ name }) => name)).toEqual([
      "Overview",
      "Setup",
      "Human judging",
      "Results",
      "Data",
      "Settings",
    ]);
  });

  it("are for adjudicators without what only leads may open", () => {
    expect(pathsOf("adjudicator").sort()).toEqual(
      [
        "queue",
        "agreement",
        ...["leaderboard", "leaderboard", "leaderboard/amendments", "leaderboard/datasets"],
        ...["leaderboard/systems", "failures", "failures", "failures/board", "failures/sets"],
        ...["answers", "gold"],
      ].sort(),
    );
  });

  it("are one for annotators, who see nothing but their own work", () => {
    expect(pathsOf("annotator")).toEqual(["judge", "judged"]);
  });

  it.each(ROLES)("lead a %s to pages that are there", (role) => {
    const routes = projectPages.map(({ options }) => (options as { readonly path?: string }).path ?? "");
    expect(pathsOf(role).filter((path) => !routes.includes(path))).toEqual([]);
    expect(routes).toContain(firstPage(role));
  });
});

describe("where one is", () => {
  const pages = placesOf("lead").flatMap((place) => place.pages);

  it.each([
    ["runs", "Automatic judges"],
    ["runs/7hx2", "Automatic judges"],
    ["prejudging", "Pre-judging"],
    ["agreement/raters/m1", "Annotators"],
    ["answers/7hx2", "Answers"],
    ["runsomething", undefined],
    ["", undefined],
  ])("at %s is %s", (address, name) => {
    expect(findCurrent(pages, address)?.name).toBe(name);
  });
});
