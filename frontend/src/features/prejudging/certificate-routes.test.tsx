import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { CalibrationState, CertificateLine, Policy } from "../../api/schema";
import { bodiesOf } from "../../test/fake-server";
import { NO_RULES, openPrejudging } from "../../test/prejudging-cast";

const POLICY: Policy = {
  ...NO_RULES,
  rules: [
    {
      runs: ["a"],
      condition: "all_agree",
      threshold: 0.9,
      certificate: "",
      meaning: "agreed",
      text: "Learned judge is at least 90% sure: the verdict counts",
    },
  ],
};

const CERTIFICATE: CertificateLine = {
  id: "c",
  number: 1,
  sample: 1,
  text: "Learned judge is at least 50% sure: the verdict counts",
  runs: ["a"],
  condition: "all_agree",
  by_score: true,
  alpha: 0.05,
  delta: 0.1,
  spent: 0.05,
  threshold: 0.93,
  words: "Certified: this rule may settle 75% of the answers.",
  lapse: "",
  lapsed_at: null,
  labels: 300,
  settled_labels: 225,
  errors: 3,
  upper: 0.034,
  settled_share: 0.75,
  needed: 145,
  caution: "Trained on EVOUNA-NQ.",
  curve: [{ threshold: 0.93, settled_share: 0.75, labels: 225, errors: 3, upper: 0.034 }],
  made_by: "Lea Lead",
  made_at: "2026-01-01T00:00:00Z",
};

const SAMPLE: NonNullable<CalibrationState["sample"]> = {
  id: "s",
  number: 1,
  drawn: 300,
  decided: 300,
  open: 0,
  waiting: 0,
  gone: 0,
  population: 2000,
  probability: 0.15,
  holds_others: true,
  drawn_by: "Lea Lead",
  drawn_at: "2026-01-01T00:00:00Z",
};

function open(calibration: CalibrationState, policy: Policy = POLICY) {
  return openPrejudging({
    "GET /api/projects/nq/prejudging": policy,
    "GET /api/projects/nq/prejudging/calibration": calibration,
    "POST /api/projects/nq/prejudging/calibration": calibration,
    "PATCH /api/projects/nq/prejudging/calibration": calibration,
    "POST /api/projects/nq/prejudging/certificates": CERTIFICATE,
  });
}

describe("certificates", () => {
  it("begin with a sample, of a size that is one", async () => {
    const calls = open({ sample: null, drawable: 2000, certificates: [] });
    const size = await screen.findByRole("textbox", { name: "Sample size" });
    await userEvent.clear(size);
    await userEvent.type(size, "0");
    await userEvent.click(screen.getByRole("button", { name: "Create sample" }));
    expect(size).toBeInvalid();
    await userEvent.clear(size);
    await userEvent.type(size, "300");
    await userEvent.click(screen.getByRole("button", { name: "Create sample" }));
    expect(bodiesOf(calls, "POST")).toEqual([{ size: 300, holds_others: true }]);
    expect(screen.queryByRole("button", { name: /Certify this rule/ })).toBeNull();
  });

  it("need not hold annotators, and stop holding them where the lead says so", async () => {
    const drawing = open({ sample: null, drawable: 2000, certificates: [] });
    await userEvent.click(await screen.findByRole("checkbox", { name: /^Give annotators only this sample/ }));
    await userEvent.click(screen.getByRole("button", { name: "Create sample" }));
    expect(bodiesOf(drawing, "POST")).toEqual([{ size: 300, holds_others: false }]);
  });

  it("say whether annotators wait, and end that", async () => {
    const calls = open({ sample: SAMPLE, drawable: 1700, certificates: [] });
    expect(
      await screen.findByText(/^Annotators get only this sample until you apply a policy/),
    ).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Give annotators all answers" }));
    expect(bodiesOf(calls, "PATCH")).toEqual([{ holds_others: false }]);
  });

  it("are asked for once people have judged all of it, for chosen levels", async () => {
    const calls = open({ sample: SAMPLE, drawable: 1700, certificates: [CERTIFICATE] });
    await userEvent.selectOptions(
      await screen.findByRole("combobox", { name: "Rule 1: verdicts" }),
      "verdict",
    );
    expect(
      screen.getByText(/A single judge can settle some answers as correct and others as incorrect only with/),
    ).toBeVisible();
    expect(screen.queryByRole("button", { name: /^Certify this rule/ })).toBeNull();
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Rule 1: verdicts" }), "sure");
    await userEvent.clear(screen.getByRole("textbox", { name: "Rule 1: minimum confidence (%)" }));
    await userEvent.click(screen.getByRole("button", { name: /^Certify this rule/ }));
    const dialog = screen.getByRole("dialog");
    const alpha = within(dialog).getByRole("textbox", { name: "Maximum error rate (%)" });
    await userEvent.clear(alpha);
    await userEvent.type(alpha, "80");
    await userEvent.click(within(dialog).getByRole("button", { name: "Certify" }));
    expect(alpha).toBeInvalid();
    await userEvent.clear(alpha);
    await userEvent.type(alpha, "2");
    await userEvent.click(within(dialog).getByRole("button", { name: "Certify" }));
    const carried = await screen.findByRole("combobox", { name: "Rule 1: certificate" });
    expect(carried).toHaveValue("c");
    const [sent] = bodiesOf(calls, "POST");
    expect(sent).toMatchObject({
      number: 1,
      alpha: 0.02,
      delta: 0.1,
      rules: [{ runs: ["a"], threshold: 0.5 }],
    });
    expect(screen.queryByRole("textbox", { name: "Rule 1: minimum confidence (%)" })).toBeNull();
  });

  it("say why they hold no longer, and why one was refused", async () => {
    const lapse = "Systems were added later, and none of their answers was in the sample.";
    const refused = { ...CERTIFICATE, id: "d", number: 2, threshold: null, words: "Refused: too few." };
    const carrying = POLICY.rules.map((rule) => ({ ...rule, certificate: "c" }));
    open(
      {
        sample: null,
        drawable: 0,
        certificates: [{ ...CERTIFICATE, lapse, lapsed_at: "2026-01-02T00:00:00Z" }, refused],
      },
      { ...POLICY, rules: carrying },
    );
    expect(await screen.findByText("lapsed")).toBeVisible();
    expect(screen.getByText(lapse)).toBeVisible();
    expect(
      screen.getByText(
        /The certificate of rule 1 has lapsed\. .* Certify the rule again, or apply it without/,
      ),
    ).toBeVisible();
    expect(screen.getByText("not granted")).toBeVisible();
    expect(screen.getByText("Refused: too few.")).toBeVisible();
    expect(
      screen.getByText(/that a rule could settle\. Import more answers to create a sample\.$/),
    ).toBeVisible();
  });
});
