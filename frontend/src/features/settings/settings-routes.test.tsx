import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { bodiesOf, startFakeServer } from "../../test/fake-server";
import { BASE, makeSetup, PROJECT } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";

const NO_SYSTEMS = { systems: 0, behind: 0, behind_names: [], fewest: 0, most: 0, common: 0, uneven: 0 };

function open(setup = makeSetup()) {
  const calls = startFakeServer({
    ...BASE,
    "GET /api/projects/nq/setup": setup,
    "GET /api/organizations": [],
    "PATCH /api/projects/nq": PROJECT,
  });
  openApp("/nq/settings");
  return calls;
}

describe("the cleanup of answers", () => {
  it("is chosen before there are any", async () => {
    const calls = open(makeSetup({ to_judge: 0, coverage: NO_SYSTEMS }));
    expect(await screen.findByRole("combobox", { name: /^Cleanup before judging/ })).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    expect(bodiesOf(calls, "PATCH")).toEqual([{ name: "NQ301", description: "", cleaning: "none" }]);
  });

  it("is fixed after that, for a reason, and not sent again", async () => {
    const calls = open();
    expect(await screen.findByText(/Fixed, because the project already has answers/)).toBeVisible();
    expect(screen.queryByRole("combobox", { name: /^Cleanup before judging/ })).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    expect(bodiesOf(calls, "PATCH")).toEqual([{ name: "NQ301", description: "" }]);
  });
});
