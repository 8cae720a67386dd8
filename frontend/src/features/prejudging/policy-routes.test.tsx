import { cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { Policy } from "../../api/schema";
import { makeFigure } from "../../components/figure";
import { bodiesOf, type Call } from "../../test/fake-server";
import { savedLines } from "../../test/saved-lines";
import { LEARNED, NO_RULES, openPrejudging } from "../../test/prejudging-cast";

const POLICY: Policy = {
  ...NO_RULES,
  seed: null,
  conditions: [{ key: "any_accepts", name: "any of them accepts: correct", meaning: "correct" }],
  runs: [
    { ...LEARNED, judge: "containment", name: "Containment", signature: "judge:containment", judged: 8 },
  ],
};

const EXPECTED = { n: 8, settled: 3, audited: 1, to_people: 4, half_width: 0.12, by_people: 0.1 };
const SETTLED = {
  open: 8,
  decided: 3,
  drawn: 1,
  to_people: 5,
  by_people: 40,
  accepted: 2,
  scores: [
    { ...EXPECTED, system: "a", label: "System A" },
    { ...EXPECTED, system: "b", label: "System B", half_width: null },
  ],
  wrong_share: 0.05,
  tried: 40,
  by_share: [
    { audit_share: 0.05, drawn: 1, to_people: 5, judgments: 10, half_widths: [0.12, null] },
    { audit_share: 0.2, drawn: 2, to_people: 6, judgments: 12, half_widths: [0.112, 0.131] },
    { audit_share: 1, drawn: 4, to_people: 8, judgments: 16, half_widths: [0.1, 0.1] },
  ],
};

const OVERVIEW = { forecast: { seconds: 3600, votes_per_hour: 4 } };

describe("pre-judging", () => {
  it("is part of the setup, and its earlier address leads there", async () => {
    openPrejudging({}, "/nq/runs/prejudging");
    expect(await screen.findByRole("heading", { name: "Pre-judging", level: 1 })).toBeVisible();
    const setup = screen.getByRole("link", { name: "Pre-judging", current: "page" });
    expect(setup).toHaveAttribute("href", "/nq/prejudging");
    expect(screen.getByRole("link", { name: "Work plan" })).toBeVisible();
  });
});

describe("who decided the answers", () => {
  it("is said once a calibration sample or a policy stands, other work of people included", async () => {
    const counts = { answers: 300, settled: 0, routed: 0, audited: 0, calibrated: 60, others: 204, open: 36 };
    openPrejudging({
      "GET /api/projects/nq/prejudging/decided-by": counts,
      "GET /api/projects/nq/prejudging/calibration": {
        sample: { number: 1, drawn: 60, decided: 60, open: 0, waiting: 0, gone: 0, population: 300 },
        drawable: 36,
        certificates: [],
      },
    });
    const row = await screen.findByRole("row", { name: /Other work, decided by people/ });
    expect(within(row).getByText("204")).toBeVisible();
    expect(screen.getByRole("row", { name: /All answers 300 100\.0%/ })).toBeVisible();
    expect(await savedLines("who-decided-the-answers")).toContain("All answers,300,1");
  });
});

describe("settled answers", () => {
  const FIGURES = { settled: 2, drawn: 1, decided: 1, open: 0, disagreed: 0, unaudited: 0, words: "" };
  const figures = { ...FIGURES, share: makeFigure(0, { low: 0, high: 0.975 }) };
  const answerOf = (id: string) => ({
    id,
    question: "Who?",
    answer: `Answer ${id}`,
    state: "decided",
    rule: 1,
    label: "correct",
    people: null,
    audited: false,
    audit_probability: 0.05,
    verdicts: [{ judge: "Containment", accepted: true, score: null }],
    settled_at: "2026-05-04T08:00:00Z",
    undone_at: null,
  });

  it("are saved from all pages, and the audit by rule with its interval", async () => {
    const calls = openPrejudging({
      "GET /api/projects/nq/prejudging/audit": {
        audit_share: 0.05,
        rules: [{ number: 1, text: "Containment accepts", figures, beside_certificate: "Fits." }],
        pooled: figures,
        watched: 0,
      },
      "GET /api/projects/nq/prejudging/answers": ({ query: asked }: Call) => {
        const query = new URLSearchParams(asked);
        const isSecond = query.get("limit") === "1000" && query.get("cursor") === "c2";
        const place = { count: 2, before: 0, previous: null, next: isSecond ? null : "c2" };
        return { ...place, answers: [answerOf(isSecond ? "b" : "a")] };
      },
    });
    await screen.findByRole("table", { name: "Settled answers" });
    expect(screen.getByText("Fits.")).toBeVisible();
    const lines = await savedLines("settled-answers");
    expect(lines.map((line) => line.split(",")[0])).toEqual(["id", "a", "b"]);
    expect(lines[2]).toBe("b,Who?,Answer b,1,correct,Containment accepts,,0,0.05,2026-05-04T08:00:00Z,");
    expect(calls.at(-1)?.query).toContain("cursor=c2&limit=1000");
    expect(await savedLines("audit-by-rule")).toEqual([
      "rule,text,matched,audited,open,disagreed,error_rate,error_rate_low,error_rate_high,unaudited",
      "1,Containment accepts,2,1,0,0,0,0,0.975,0",
    ]);
  });
});

describe("a policy that cannot be tried", () => {
  it("is marked where it lacks something, and the server is not asked", async () => {
    const calls = openPrejudging({
      "GET /api/projects/nq/prejudging": POLICY,
      "POST /api/projects/nq/prejudging/preview": {
        ...SETTLED,
        rules: [
          {
            number: 1,
            text: "Containment accepts: counts as correct",
            decided: 3,
            drawn: 1,
            sample: [{ id: "x", question: "Who?", answer: "Nobody", label: "correct", verdicts: [] }],
            beside_people: { settled: 40, wrong: 2, share: makeFigure(0.05, { low: 0.01, high: 0.12 }) },
          },
        ],
      },
    });
    await userEvent.click(await screen.findByRole("button", { name: "Add a rule" }));
    // It begins with a judge that states probabilities.
    const judge = screen.getByRole("checkbox", { name: /Containment/ });
    expect(judge).toBeChecked();
    await userEvent.click(judge);
    const share = screen.getByRole("textbox", { name: "Audit share (%)" });
    await userEvent.clear(share);
    await userEvent.type(share, "105");
    expect(screen.queryByRole("alert")).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Preview" }));
    expect(screen.getByText("Choose at least one judge, or remove rule 1.")).toBeVisible();
    expect(share).toBeInvalid();
    expect(screen.getByText("Enter a number from 0 to 100.")).toBeVisible();
    await userEvent.clear(share);
    await userEvent.type(share, "10");
    expect(share).toBeValid();
    await userEvent.click(judge);
    expect(screen.queryByText(/Choose at least one judge/)).toBeNull();
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Rule 1: verdicts" }), "sure");
    const sure = screen.getByRole("textbox", { name: "Rule 1: minimum confidence (%)" });
    await userEvent.clear(sure);
    await userEvent.type(sure, "30");
    await userEvent.click(screen.getByRole("button", { name: "Preview" }));
    expect(sure).toBeInvalid();
    await userEvent.clear(sure);
    await userEvent.type(sure, "90");
    expect(bodiesOf(calls, "POST")).toEqual([]);
    await userEvent.click(screen.getByRole("button", { name: "Preview" }));
    expect(await screen.findByText(/^Of 8 open answers/)).toBeVisible();
    expect(
      screen.getByText(
        /Among 40 answers that people have decided and that this rule would settle, the rule disagrees with people on 2/,
      ),
    ).toBeVisible();
    expect(
      screen.getByText(/The score of System A would then be known to within ±12\.0 points/),
    ).toBeVisible();
    expect(
      screen.getByText(/95% interval \(± points\) accounts for chance .* It does not cover/),
    ).toBeVisible();
    await userEvent.click(screen.getByText("Precision for each system"));
    const expected = screen.getByRole("table", { name: "Expected precision of scores" });
    const row = within(expected).getByRole("row", { name: /System B/ });
    expect(within(row).getByText("no score")).toBeVisible();
    const [sent] = bodiesOf(calls, "POST");
    expect(sent).toMatchObject({ rules: [{ threshold: 0.9 }], sample: 1 });
    await userEvent.click(screen.getByText(/Random sample of 1 answer/));
    await userEvent.click(screen.getByRole("button", { name: "Show another sample" }));
    await waitFor(() => {
      expect(bodiesOf(calls, "POST").map((sent) => (sent as { sample: number }).sample)).toEqual([1, 2]);
    });
  });
});

describe("audit shares compared", () => {
  const previewed = async (routes: Parameters<typeof openPrejudging>[0] = {}) => {
    openPrejudging({
      "POST /api/projects/nq/prejudging/preview": { ...SETTLED, rules: [] },
      ...routes,
    });
    await userEvent.click(await screen.findByRole("button", { name: "Add a rule" }));
    await userEvent.click(screen.getByRole("button", { name: "Preview" }));
    return screen.findByRole("table", { name: "Audit shares compared" });
  };
  const cellsOf = (row: HTMLElement) =>
    within(row)
      .getAllByRole("cell")
      .map((cell) => cell.textContent);

  it("say what each costs people and how precise scores then are, the chosen one marked", async () => {
    const table = await previewed({ "GET /api/projects/nq/overview": OVERVIEW });
    await within(table).findByRole("columnheader", { name: "Hours" });
    const rowOf = (name: RegExp) => within(table).getByRole("row", { name });
    const own = rowOf(/^5% \(your choice\)/);
    expect(cellsOf(own)).toEqual(["no score", "1 without a score", "5", "10", "2.5"]);
    expect(within(own).getByText("10", { selector: "strong" })).toBeVisible();
    const more = rowOf(/^20% /);
    expect(cellsOf(more)).toEqual(["13.1", "13.1", "6", "12", "3.0"]);
    expect(within(more).queryByText("12", { selector: "strong" })).toBeNull();
    expect(cellsOf(rowOf(/^100%: people judge all/))).toEqual(["10.0", "10.0", "8", "16", "4.0"]);
    expect(screen.getByText(/^With an audit share of 20% instead of 5%, people would judge 1/)).toBeVisible();
    expect(screen.getByText(/pace so far, 4 judgments per hour/)).toBeVisible();
    await userEvent.click(screen.getByText("Precision for each system"));
    const widths = screen.getByRole("table", { name: "Expected precision by audit share" });
    expect(cellsOf(within(widths).getByRole("row", { name: /System B/ }))).toEqual([
      "no score",
      "13.1",
      "10.0",
    ]);
  });

  it("have no hours until annotators’ pace is known", async () => {
    const table = await previewed({ "GET /api/projects/nq/overview": { forecast: null } });
    expect(within(table).queryByRole("columnheader", { name: "Hours" })).toBeNull();
    expect(screen.queryByText(/pace so far/)).toBeNull();
  });

  it("are left out where the rules settle nothing", async () => {
    const nothing = { ...SETTLED, rules: [], decided: 0, drawn: 0, to_people: 8 };
    openPrejudging({ "POST /api/projects/nq/prejudging/preview": nothing });
    await userEvent.click(await screen.findByRole("button", { name: "Add a rule" }));
    await userEvent.click(screen.getByRole("button", { name: "Preview" }));
    await screen.findByText(/^Of 8 open answers/);
    expect(screen.queryByText("Compare audit shares")).toBeNull();
  });
});

describe("a policy that is not applied", () => {
  const rule = () => screen.queryByRole("textbox", { name: "Rule 1: minimum confidence (%)" });

  it("is still there after another page, and says so until it is discarded", async () => {
    openPrejudging();
    await userEvent.click(await screen.findByRole("button", { name: "Add a rule" }));
    const sure = screen.getByRole("textbox", { name: "Rule 1: minimum confidence (%)" });
    await userEvent.clear(sure);
    await userEvent.type(sure, "80");
    cleanup();
    openPrejudging();
    expect(await screen.findByText(/You have changes that are not applied/)).toBeVisible();
    expect(rule()).toHaveValue("80");
    await userEvent.click(screen.getByRole("button", { name: "Discard changes" }));
    expect(rule()).toBeNull();
    expect(screen.queryByText(/You have changes that are not applied/)).toBeNull();
    cleanup();
    openPrejudging();
    await screen.findByRole("button", { name: "Add a rule" });
    expect(rule()).toBeNull();
  });

  it.each([
    ["another policy was saved since", { saved_at: "2026-01-02T00:00:00Z" }],
    ["its judge is gone", { runs: [{ ...LEARNED, id: "b" }] }],
  ])("is forgotten where %s", async (_, changed) => {
    openPrejudging();
    await userEvent.click(await screen.findByRole("button", { name: "Add a rule" }));
    cleanup();
    openPrejudging({ "GET /api/projects/nq/prejudging": { ...NO_RULES, ...changed } });
    await screen.findByRole("button", { name: "Add a rule" });
    expect(rule()).toBeNull();
  });

  it("is not kept once it is applied, of which the lead is asked with the numbers", async () => {
    const calls = openPrejudging({
      "POST /api/projects/nq/prejudging/preview": { ...SETTLED, rules: [] },
      "PUT /api/projects/nq/prejudging": NO_RULES,
      "POST /api/projects/nq/prejudging/apply": NO_RULES,
    });
    await userEvent.click(await screen.findByRole("button", { name: "Add a rule" }));
    expect(localStorage.getItem("assay.policy.nq")).not.toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Preview" }));
    await userEvent.click(await screen.findByRole("button", { name: "Save and apply" }));
    const dialog = screen.getByRole("dialog", { name: "Apply this policy?" });
    expect(dialog).toHaveTextContent(
      "Automatic judges will settle 3 answers without human review. People will judge 1 in the audit and the 4 that no rule settles.",
    );
    expect(dialog).toHaveTextContent("choose “Undo all” under “Policy applications.”");
    await userEvent.click(within(dialog).getByRole("button", { name: "Cancel" }));
    expect(bodiesOf(calls, "PUT")).toEqual([]);
    await userEvent.click(screen.getByRole("button", { name: "Save and apply" }));
    await userEvent.click(screen.getByRole("button", { name: "Apply policy" }));
    await waitFor(() => {
      expect(localStorage.getItem("assay.policy.nq")).toBeNull();
    });
  });
});

describe("an application that ends in the background", () => {
  it("has what was settled read anew", async () => {
    const application = {
      id: "p",
      number: 1,
      state: "running",
      rules: [],
      audit_share: 0.05,
      decided: 0,
      drawn: 0,
      undone: 0,
      undone_draws: 0,
      applied_by: "Lea Lead",
      applied_at: "2026-01-01T00:00:00Z",
      undo_reason: "",
    };
    let isDone = false;
    const calls = openPrejudging({
      "GET /api/projects/nq/prejudging": () => {
        const state = isDone ? "done" : "running";
        isDone = true;
        return { ...POLICY, applications: [{ ...application, state }] };
      },
    });
    expect(await screen.findByText("running")).toBeVisible();
    expect(await screen.findByText("active", undefined, { timeout: 4_000 })).toBeVisible();
    await waitFor(() => {
      expect(calls.filter(({ path }) => path.endsWith("/prejudging/audit"))).toHaveLength(2);
    });
  });
});
