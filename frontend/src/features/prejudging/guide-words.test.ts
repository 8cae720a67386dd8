import { describe, expect, it } from "vitest";
import type { AuditReport, CalibrationState, CertificateLine, Policy } from "../../api/schema";
import { guideSteps } from "./guide-words";

const NOTHING: CalibrationState = { sample: null, drawable: 900, certificates: [] };
const SAMPLE = { decided: 112, open: 188 } as NonNullable<CalibrationState["sample"]>;

function policy(...states: readonly string[]): Policy {
  return { applications: states.map((state) => ({ state })) } as unknown as Policy;
}

function certificate(fields: Partial<CertificateLine>): CertificateLine {
  return { threshold: 0.9, lapse: "", ...fields } as CertificateLine;
}

function next(calibration: Partial<CalibrationState>, ...states: readonly string[]): string {
  const found = guideSteps(policy(...states), { ...NOTHING, ...calibration });
  return found.find(({ state }) => state === "next")?.words ?? "";
}

describe("the steps of pre-judging", () => {
  it("go from a sample over its labels and a certificate to the audit", () => {
    expect(next({})).toMatch(/^Create a calibration sample/);
    expect(next({ sample: SAMPLE })).toMatch(/\(112 of 300 judged\)\.$/);
    const judged = { sample: { ...SAMPLE, decided: 300, open: 0 } };
    expect(next(judged)).toMatch(/^Add a rule/);
    expect(next({ ...judged, certificates: [certificate({})] })).toMatch(/^Preview the policy/);
    expect(next({ ...judged, certificates: [certificate({})] }, "done")).toMatch(
      /^Let people judge the audited answers/,
    );
  });

  it("say how far a policy is while it is applied, and are not done with it", () => {
    const applications = [{ state: "running", decided: 3_598, drawn: 402 }];
    const calibration = { ...NOTHING, drawable: 0, certificates: [certificate({})] };
    const found = guideSteps({ applications } as unknown as Policy, calibration);
    expect(found.find(({ state }) => state === "next")?.words).toMatch(
      /^Preview the policy.* Applying: 4,000 answers matched so far\./,
    );
  });

  it("have no next one while no answer is open that a rule could settle", () => {
    const judged = { sample: { ...SAMPLE, decided: 300, open: 0 }, drawable: 0 };
    expect(next({ drawable: 0 })).toBe("");
    expect(next(judged)).toBe("");
    expect(next({ sample: SAMPLE, drawable: 0 })).toMatch(/^Let people judge the sample/);
    expect(next({ ...judged, certificates: [certificate({})] }, "done")).toMatch(
      /^Let people judge the audited answers/,
    );
  });

  it("are all done once people have decided what was drawn for the audit", () => {
    const calibration = { ...NOTHING, certificates: [certificate({})] };
    const audit = (open: number) => ({ rules: [{}], pooled: { drawn: 208, open } }) as unknown as AuditReport;
    const states = (open: number) =>
      guideSteps(policy("done"), calibration, audit(open)).map(({ state }) => state);
    expect(states(3).at(-1)).toBe("next");
    expect(states(0).every((state) => state === "done")).toBe(true);
  });

  it("are back at the certificate where it lapsed or was refused", () => {
    const sample = { ...SAMPLE, decided: 300, open: 0 };
    const lapsed = certificate({ lapse: "Systems were added since." });
    expect(next({ sample, certificates: [lapsed] }, "undone")).toMatch(/^Add a rule/);
    expect(next({ sample, certificates: [certificate({ threshold: null })] })).toMatch(/^Add a rule/);
  });
});
