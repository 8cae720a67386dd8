import { describe, expect, it } from "vitest";
import { isForViewers } from "../api/project";
import { findCurrent, firstPage, opens, partsOf, placesOf } from "./project-places";
import { projectPages } from "./project-pages";

const ROLES = ["lead", "adjudicator", "annotator", "viewer"] as const;

function pathsOf(role: (typeof ROLES)[number]): string[] {
  const pages = placesOf(role).flatMap((place) => place.pages);
  return [...pages, ...pages.flatMap((page) => partsOf(page, role))].map(({ path }) => path);
}

const pathOf = ({ options }: (typeof projectPages)[number]) =>
  (options as { readonly path?: string }).path ?? "";

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

  it("are for viewers the pages that links lead them to", () => {
    const paths = [...new Set(pathsOf("viewer"))];
    expect(paths.sort()).toEqual(
      [
        ...["overview", "agreement", "leaderboard", "leaderboard/amendments", "leaderboard/datasets"],
        ...["leaderboard/systems", "runs/board", "failures", "failures/board", "failures/sets"],
        ...["answers", "gold", "export"],
      ].sort(),
    );
    expect(projectPages.map(pathOf).filter(isForViewers).sort()).toEqual(
      [...paths, "answers/$answer", "answers/views/$view"].sort(),
    );
    expect(firstPage("viewer")).toBe("overview");
  });

  it("begin with the part that answers most", () => {
    const results = placesOf("lead").find(({ name }) => name === "Results");
    expect(results?.pages.map(opens)).toEqual(["leaderboard", "runs/board", "failures"]);
    expect(partsOf(results?.pages[1], "lead")[0]?.path).toBe("runs/board");
  });

  it.each(ROLES)("lead a %s to pages that are there", (role) => {
    const routes = projectPages.map(pathOf);
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
