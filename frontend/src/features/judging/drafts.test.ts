import { describe, expect, it } from "vitest";
import { readDraft, removeDraft, removeOldDrafts, writeDraft } from "./desk";
import { changeAnswer, EMPTY_WORK } from "./sheet-work";

const WORK = changeAnswer(EMPTY_WORK, "a", { label: "correct", comment: "stage name" });

describe("drafts", () => {
  it("are kept per sheet", () => {
    writeDraft("one", WORK);
    expect(readDraft("one")).toEqual(WORK);
    expect(readDraft("two")).toBeNull();
  });

  it("are forgotten when the sheet is done or long gone", () => {
    writeDraft("done", WORK);
    removeDraft("done");
    writeDraft("old", WORK, 0);
    removeOldDrafts();
    expect([readDraft("done"), readDraft("old")]).toEqual([null, null]);
  });

  it("that cannot be read are no drafts", () => {
    localStorage.setItem("assay.draft.broken", "{not json");
    localStorage.setItem("assay.draft.other", JSON.stringify({ at: 1, work: { answers: 3 } }));
    expect([readDraft("broken"), readDraft("other")]).toEqual([null, null]);
  });
});
