import { describe, expect, it } from "vitest";
import { makeSheet } from "../../test/judging-cast";
import { choose, EMPTY_WORK, isComplete, judgmentsOf, moveTo, rowsOf, workFromDraft } from "./sheet-work";

const SHEET = makeSheet("s", 3);
const CHECKS = [
  { key: "changes", text: "Does the answer change?", skips_answers: true },
  { key: "improper", text: "Is the gold improper?", skips_answers: true },
];
const CHECKED = makeSheet("c", 2, { checks: CHECKS });

describe("choose", () => {
  it("moves on to the next answer without a label, round the end", () => {
    const second = choose(SHEET, EMPTY_WORK, "s-1", "correct", true);
    expect(second.row).toBe(2);
    expect(choose(SHEET, second, "s-2", "correct", true).row).toBe(0);
  });

  it("stays where nothing is left to label", () => {
    const work = ["s-0", "s-1", "s-2"].reduce(
      (done, id) => choose(SHEET, done, id, "correct", true),
      EMPTY_WORK,
    );
    expect(work.row).toBe(2);
    expect(isComplete(SHEET, work)).toBe(true);
  });

  it("stays on the row where the browser's own keys walk through the choices", () => {
    expect(choose(SHEET, EMPTY_WORK, "s-0", "correct", false).row).toBe(0);
  });

  it("ignores rows that the sheet does not have", () => {
    expect(choose(SHEET, EMPTY_WORK, "elsewhere", "correct", true)).toEqual(EMPTY_WORK);
  });
});

describe("checks", () => {
  it("stand before the answers", () => {
    expect(rowsOf(CHECKED, EMPTY_WORK).map((row) => row.kind)).toEqual([
      "check",
      "check",
      "answer",
      "answer",
    ]);
  });

  it("leave the answers out after a yes that makes them pointless", () => {
    const yes = choose(CHECKED, EMPTY_WORK, "changes", "yes", true);
    expect(rowsOf(CHECKED, yes).map((row) => row.id)).toEqual(["changes"]);
    expect(isComplete(CHECKED, yes)).toBe(true);
    expect(judgmentsOf(CHECKED, yes).checks).toEqual({ changes: true });
    expect(judgmentsOf(CHECKED, yes).answers.map((answer) => answer.label)).toEqual([null, null]);
  });

  it("come back with the answers when the yes is taken back", () => {
    const yes = choose(CHECKED, EMPTY_WORK, "changes", "yes", true);
    const no = choose(CHECKED, yes, "changes", "no", true);
    expect(rowsOf(CHECKED, no).map((row) => row.id)).toEqual(["changes", "improper", "c-0", "c-1"]);
    expect(no.row).toBe(1);
  });

  it("hold the answers back where the protocol wants them answered first", () => {
    const check = { key: "ambiguous", text: "Could it have several answers?", skips_answers: false };
    const held = makeSheet("h", 2, { checks: [check], checks_first: true });
    expect(rowsOf(held, EMPTY_WORK).map((row) => row.kind)).toEqual(["check"]);
    expect(isComplete(held, EMPTY_WORK)).toBe(false);
    const answered = choose(held, EMPTY_WORK, "ambiguous", "yes", true);
    expect(rowsOf(held, answered).map((row) => row.id)).toEqual(["ambiguous", "h-0", "h-1"]);
    expect(answered.row).toBe(1);
  });

  it("stand alone on a sheet that asks about the question again", () => {
    const again = makeSheet("a", 0, { checks: CHECKS, asks_again: "checks" });
    const first = choose(again, EMPTY_WORK, "changes", "no", true);
    expect(isComplete(again, first)).toBe(false);
    const both = choose(again, first, "improper", "yes", true);
    expect(isComplete(again, both)).toBe(true);
    expect(judgmentsOf(again, both)).toEqual({ answers: [], checks: { changes: false, improper: true } });
  });
});

describe("moveTo", () => {
  it("stops at both ends", () => {
    expect([moveTo(SHEET, EMPTY_WORK, -1).row, moveTo(SHEET, EMPTY_WORK, 9).row]).toEqual([0, 2]);
  });
});

describe("judgmentsOf", () => {
  it("gives back what a draft of the server said", () => {
    const draft = {
      checks: {},
      answers: SHEET.answers.map(({ id }) => ({
        id,
        label: "incorrect",
        skip_reason: "",
        comment: "why",
        evidence_url: "https://example.org",
        evidence_quote: "it says so",
      })),
    };
    expect(judgmentsOf(SHEET, workFromDraft(draft))).toEqual(draft);
  });
});
