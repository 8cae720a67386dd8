/** The line that says what a page promises once judges have settled answers. */
import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { AuditReport } from "../api/schema";
import { startFakeServer } from "../test/fake-server";
import { BASE } from "../test/lead-cast";
import { openApp } from "../test/open-app";
import { auditWords, besideCertificates, calibrationWords } from "./settled-notice";

const AUDIT = "GET /api/projects/nq/prejudging/audit";
const EXPORTS = {
  ...BASE,
  "GET /api/projects/nq/export-formats": [],
  "GET /api/projects/nq/exports": [],
};

function openExport(audit: unknown) {
  const calls = startFakeServer({ ...EXPORTS, [AUDIT]: audit });
  openApp("/nq/export");
  return calls;
}

describe("what a page promises of settled answers", () => {
  it("is said with their number, those sent to people left out", async () => {
    openExport({ rules: [{}], pooled: { settled: 375, drawn: 35 } });
    const line = await screen.findByText(/^Automatic judges settled 340 answers without human review\./);
    expect(line).toHaveTextContent(/Only corrected scores have intervals/);
  });

  it("is not said where no judge settled any", async () => {
    const calls = openExport({ rules: [], pooled: null });
    await waitFor(() => expect(calls.some(({ path }) => path.endsWith("/prejudging/audit"))).toBe(true));
    expect(await screen.findByText("No files have been created yet.")).toBeVisible();
    expect(screen.queryByText(/without human review/)).toBeNull();
  });
});

describe("what people still judge beside judges", () => {
  it("is said with how much of it they have decided", () => {
    expect(calibrationWords({ decided: 120, open: 180 })).toBe(
      "A calibration sample is in progress: people have decided 120 of its 300 answers.",
    );
    const audit = { rules: [{}], pooled: { drawn: 35, open: 5 } } as unknown as AuditReport;
    expect(auditWords(audit)).toBe(
      "An audit of settled answers is in progress: people have decided 30 of its 35 answers.",
    );
    expect(auditWords({ ...audit, pooled: { ...audit.pooled, open: 0 } })).toBe("");
    expect(auditWords({ ...audit, rules: [] })).toBe("");
  });
});

describe("how the audit fits certificates", () => {
  it("is said of each rule that carries one", () => {
    const rules = [{ beside_certificate: "The certificate allows 5.0%." }, { beside_certificate: "" }];
    expect(besideCertificates({ rules } as unknown as AuditReport)).toEqual(["The certificate allows 5.0%."]);
  });
});
