import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { JudgeBoardRow, Run } from "../../../api/schema";
import { type Call, FakeError, startFakeServer } from "../../../test/fake-server";
import {
  BEM,
  DIFFERENCES,
  JUDGES_SERVER,
  LLM_SERVER,
  PAIRS,
  PARTS,
  PEOPLE,
  REPLACEMENTS,
  PUBLISHED,
  rowWith,
  RUN,
  SCORES,
  SHORT,
} from "../../../test/judge-cast";
import { makeSetup } from "../../../test/lead-cast";
import { verdictsOf } from "../beside-columns";
import { openApp } from "../../../test/open-app";
import { savedRows } from "../../../test/saved-lines";

/** With every part open. */
const OPENED = "/nq/runs/board?open=replacement,cautions,breakdown,scores,pairs,differences,prompts";

const part = (title: string) => screen.getByRole("heading", { name: title }).closest("details");

describe("the parts of the board", () => {
  it("are closed at first, say what is in them, and ask for nothing", async () => {
    const calls = startFakeServer(JUDGES_SERVER);
    openApp("/nq/runs/board");
    await screen.findByRole("table", { name: "Judges compared with people" });
    expect(screen.getByText(/^Whether a judge agrees with your annotators about as well/)).toBeVisible();
    expect(part("Scores and thresholds")).not.toHaveAttribute("open");
    expect(calls.filter(({ path }) => path.includes("/judge-board/"))).toEqual([]);
  });

  it("open and close, and are open in the address", async () => {
    startFakeServer(LLM_SERVER);
    const router = openApp("/nq/runs/board?open=pairs");
    expect(await screen.findByRole("table", { name: "Pairs of judges" })).toBeVisible();
    const folded = part("Prompts side by side") as HTMLDetailsElement;
    // A browser does both at a click on the summary.
    act(() => {
      folded.open = true;
      folded.dispatchEvent(new Event("toggle"));
    });
    await screen.findByRole("table", { name: "Accuracy and F1 of each prompt (%)" });
    expect(router.state.location.search).toEqual({ open: "pairs,prompts" });
  });

  it.each([
    ["judge=r1", "Scores and thresholds"],
    ["by=tag", "Breakdown"],
    ["epsilon=0.2", "Which judge may replace an annotator"],
  ])("of which an address says something are open: %s", async (search, title) => {
    startFakeServer(JUDGES_SERVER);
    openApp(`/nq/runs/board?${search}`);
    await screen.findByRole("table", { name: "Judges compared with people" });
    expect(part(title)).toHaveAttribute("open");
    expect(document.querySelectorAll("details[open]:has(h2)")).toHaveLength(1);
  });
});

describe("the board of judges", () => {
  it("says once of which data a judge has seen the verdicts", async () => {
    const caution = "It was trained on EVOUNA-NQ.";
    const two = [BEM, { ...BEM, key: "two", run: "r2" }].map((row) => ({ ...row, caution }));
    startFakeServer({ ...JUDGES_SERVER, "GET /api/projects/nq/judge-board": two });
    openApp("/nq/runs/board");
    expect(await screen.findByText(caution)).toBeVisible();
  });

  it("names first no judge that was told what people decided", async () => {
    const figures = { ...BEM.figures, accuracy_all: { ...BEM.figures["accuracy_all"], value: 0.99 } };
    const told = { ...BEM, key: "told", run: "r2", name: "Memory", is_told: true, figures } as typeof BEM;
    startFakeServer({ ...JUDGES_SERVER, "GET /api/projects/nq/judge-board": [BEM, told] });
    openApp("/nq/runs/board");
    expect(await screen.findByText(/^BEM agrees with people’s decisions on 75.0%/)).toBeVisible();
    expect(screen.queryByText(/Memory agrees with people’s decisions/)).toBeNull();
  });

  it("says first which judge is nearest to people", async () => {
    startFakeServer(JUDGES_SERVER);
    openApp(OPENED);
    expect(
      await screen.findByText(/BEM agrees with people’s decisions on 75.0% of the answers/),
    ).toBeVisible();
    expect(
      screen.getByText(/2.5 times as often as one annotator’s vote differs from the other annotators’ votes/),
    ).toBeVisible();
  });

  it("says how often annotators differ where they differ more often than the judge", async () => {
    const figures = {
      ...BEM.figures,
      error_multiple: { ...BEM.figures["error_multiple"], value: 0.2 },
    } as typeof BEM.figures;
    startFakeServer({ ...JUDGES_SERVER, "GET /api/projects/nq/judge-board": [{ ...BEM, figures }] });
    openApp(OPENED);
    expect(
      await screen.findByText(
        /One annotator’s vote differs from the other annotators’ votes 5\.0 times as often as BEM differs from people’s decisions\.$/,
      ),
    ).toBeVisible();
  });

  it("keeps judges, compared with decisions, apart from annotators, compared with annotators", async () => {
    const rater = rowWith(
      { ...PEOPLE, key: "another_human:A", name: "R-FBX3" },
      { values: { accuracy_all: 1 } },
    );
    startFakeServer({ ...JUDGES_SERVER, "GET /api/projects/nq/judge-board": [BEM, PEOPLE, rater] });
    openApp("/nq/runs/board");
    const table = await screen.findByRole("table", { name: "Judges compared with people" });
    const names = within(table)
      .getAllByRole("rowheader")
      .map(({ textContent }) => textContent);
    expect(names).toEqual([
      "Judges, compared with people’s decisions",
      "BEM",
      "Annotators, compared with other annotators",
      "R-FBX3",
      "All annotators",
    ]);
    expect(screen.getByText(/The two groups are not directly comparable/)).toBeVisible();
  });

  it("says what a judge agrees on among those it judged only where it left some out", async () => {
    const scored = () => screen.queryByRole("columnheader", { name: "Agrees on answers it judged (%)" });
    const partial = { ...rowWith(BEM, { counts: { unscored: 7 } }), key: "gpt", name: "GPT", run: "r2" };
    let board = [BEM, PEOPLE];
    startFakeServer({ ...JUDGES_SERVER, "GET /api/projects/nq/judge-board": () => board });
    openApp("/nq/runs/board");
    await screen.findByRole("table", { name: "Judges compared with people" });
    expect(scored()).toBeNull();
    expect(screen.queryByRole("columnheader", { name: "Judged (%)" })).toBeNull();
    board = [BEM, partial, PEOPLE];
    cleanup();
    openApp("/nq/runs/board");
    await screen.findByRole("table", { name: "Judges compared with people" });
    expect(scored()).toBeVisible();
  });

  it("offers no parts that have nothing to show, and says how to add a language model", async () => {
    startFakeServer({
      ...JUDGES_SERVER,
      "GET /api/projects/nq/judge-board": [{ ...BEM, has_scores: false }, PEOPLE],
    });
    openApp("/nq/runs/board");
    expect(await screen.findByRole("link", { name: "connect a model" })).toHaveAttribute(
      "href",
      "/nq/runs/connections",
    );
    const parts = screen.getAllByRole("heading", { level: 2 }).filter((each) => each.closest("details"));
    expect(parts.map(({ textContent }) => textContent)).toEqual([
      "Which judge may replace an annotator",
      "Repeated runs and model families",
      "Breakdown",
      "Pairs of judges",
    ]);
  });

  it("does not say how to add a language model before it knows that no prompt is published", async () => {
    let reply: (scores: unknown) => void = () => undefined;
    const scores = new Promise((resolve) => (reply = resolve));
    startFakeServer({ ...JUDGES_SERVER, "GET /api/projects/nq/reference-scores": () => scores });
    openApp("/nq/runs/board");
    await screen.findByRole("heading", { name: "Pairs of judges" });
    expect(screen.queryByRole("link", { name: "connect a model" })).toBeNull();
    reply([]);
    expect(await screen.findByRole("link", { name: "connect a model" })).toBeVisible();
  });

  it("says why no judge can be tested in an annotator’s place where the third only breaks ties", async () => {
    startFakeServer({
      ...JUDGES_SERVER,
      "GET /api/projects/nq/judge-board/replacement": {
        ...REPLACEMENTS,
        raters: 2,
        tie_breakers: 1,
        raters_per_answer: 2,
      },
    });
    openApp("/nq/runs/board?open=replacement");
    expect(await screen.findByText("Too few annotators for this test")).toBeVisible();
    expect(screen.getByText(/1 more annotator only broke ties/)).toBeVisible();
    expect(screen.getByRole("link", { name: "Change the protocol" })).toHaveAttribute(
      "href",
      "/nq/protocol?field=raters_per_answer",
    );
  });

  it("says of the board, its parts and its prompts how the numbers of each came about", async () => {
    startFakeServer(LLM_SERVER);
    openApp(OPENED);
    expect(await screen.findByText("judge:bem|by:answer_length|seed:1")).toBeInTheDocument();
    expect(await screen.findByText("judge:llm|prompt_hash:0a|beside:people|seed:1")).toBeInTheDocument();
    expect(screen.getByText(BEM.signature)).toBeInTheDocument();
    expect(screen.getByText(PEOPLE.signature)).toBeInTheDocument();
  });

  it("crowns no judge on a few answers, and counts answers where people’s rows count votes", async () => {
    const few = rowWith(BEM, { counts: { tp: 1, fn: 0, fp: 0, tn: 1 }, values: { accuracy_all: 1 } });
    const votes = rowWith(PEOPLE, { counts: { tp: 6, fn: 0, fp: 0, tn: 6 } });
    startFakeServer({ ...JUDGES_SERVER, "GET /api/projects/nq/judge-board": [few, votes] });
    openApp(OPENED);
    expect(await screen.findByText("Only 2 answers")).toBeVisible();
    expect(
      screen.getByText(
        "People have decided 2 answers. That is too few to tell which judge agrees with them most.",
      ),
    ).toBeVisible();
    expect(screen.queryByText(/BEM agrees most/)).not.toBeInTheDocument();
  });

  it("says in words which judge may replace an annotator, and asks again for another ε", async () => {
    const calls = startFakeServer(JUDGES_SERVER);
    openApp(OPENED);
    const table = await screen.findByRole("table", {
      name: "Judges that may replace an annotator in this study",
    });
    expect(
      within(table).getByText(
        /, because it trails an annotator by significantly less than 15 points in 2 of 3 comparisons/,
      ),
    ).toBeVisible();
    await userEvent.click(screen.getByRole("radio", { name: "Experts (ε = 0.20)" }));
    const asked = () => calls.filter(({ path }) => path.endsWith("/judge-board/replacement"));
    await waitFor(() => expect(asked().map(({ query }) => query)).toEqual(["?epsilon=0.15", "?epsilon=0.2"]));
  });

  it("says how often a judge flips, and warns of one that favors its own family", async () => {
    startFakeServer(JUDGES_SERVER);
    openApp(OPENED);
    const again = await screen.findByRole("table", {
      name: "Verdicts that changed between runs",
    });
    expect(within(again).getByRole("row", { name: /^LLM judge 2 80 4 5\.0/ })).toBeVisible();
    expect(
      screen.getByText(/more lenient toward systems of its own model family .*: LLM judge \(GPT\)\./),
    ).toBeVisible();
    const kin = screen.getByRole("table", { name: "Leniency toward systems of a judge’s own family" });
    expect(within(kin).getByText("ChatGPT, GPT-4")).toBeVisible();
  });

  it("counts in short no verdicts that a judge never gave", async () => {
    const part = rowWith(BEM, { counts: { unscored: 2120 }, values: { accuracy_all: 0.03 } });
    startFakeServer({
      ...JUDGES_SERVER,
      "GET /api/projects/nq/runs": [RUN],
      "GET /api/projects/nq/judge-board": [part, PEOPLE],
    });
    openApp("/nq/runs");
    const table = await screen.findByRole("table", { name: "Judges compared with people" });
    const given = String(verdictsOf(BEM));
    const row = await within(table).findByRole("row", { name: new RegExp(`^BEM ${given} 75\\.0`) });
    expect(row).toBeVisible();
  });

  it("crowns the best of the judges that judged enough", async () => {
    const counts = { tp: 1, fn: 0, fp: 0, tn: 0 };
    const lucky = {
      ...rowWith(BEM, { counts, values: { accuracy_all: 1 } }),
      key: "lucky",
      name: "Lucky",
      run: "r2",
    };
    startFakeServer({ ...JUDGES_SERVER, "GET /api/projects/nq/judge-board": [lucky, BEM, PEOPLE] });
    openApp(OPENED);
    expect(await screen.findByText(/^BEM agrees with people’s decisions on 75.0%/)).toBeVisible();
  });

  it("puts intervals on figures and opens the answers behind an error", async () => {
    startFakeServer(JUDGES_SERVER);
    openApp(OPENED);
    const table = await screen.findByRole("table", { name: "Judges compared with people" });
    expect(await within(table).findByText(/95% interval 70.0 to 80.0/)).toBeInTheDocument();
    expect(within(table).getByRole("link", { name: /BEM incorrectly rejects/ })).toHaveAttribute(
      "href",
      "/nq/answers?accepted_by=people&rejected_by=r1",
    );
  });

  it("lets published numbers of judges stand below those measured here, marked as such", async () => {
    startFakeServer({ ...JUDGES_SERVER, "GET /api/projects/nq/reference-scores": [PUBLISHED] });
    openApp(OPENED);
    const table = await screen.findByRole("table", { name: "Judges compared with people" });
    const row = await within(table).findByRole("row", { name: /GPT-4 of the paper/ });
    expect(row).toHaveTextContent("published · EVOUNA-NQ");
    expect(within(row).getByTitle("Published: Wang et al. 2023")).toHaveTextContent("96.9");
  });

  it("shows bias, ranking and cost on demand, with a reason where there is no figure", async () => {
    startFakeServer(JUDGES_SERVER);
    openApp(OPENED);
    await userEvent.click(await screen.findByRole("radio", { name: "Bias, ranking, cost" }));
    const table = await screen.findByRole("table", { name: "Judges compared with people" });
    const row = within(within(table).getByRole("row", { name: /^BEM/ }));
    expect(row.getByText("−15.0")).toBeVisible();
    expect(row.getByTitle("This judge uses no paid model.")).toHaveTextContent("–");
  });

  it("tells what another threshold brings by answers it was not chosen on", async () => {
    startFakeServer(JUDGES_SERVER);
    openApp(OPENED);
    expect(
      await screen.findByText(
        /A threshold chosen on other questions \(tenfold cross-validation\) .* by \+8.0 points/,
      ),
    ).toBeVisible();
    const lines = screen.getByRole("table", { name: "Statistics by threshold" });
    const used = within(lines).getByRole("row", { name: /^Current: 0.500/ });
    await within(used).findByText(/95% interval 70.0 to 80.0/);
    const cells = within(used).getAllByRole("cell");
    expect(cells.map((cell) => cell.textContent)).toEqual([
      expect.stringMatching(/^75.0\s?, 95% interval 70.0 to 80.070.0–80.0$/),
      "75.0, no interval: This figure does not vary across questions, so it has no interval.",
      "92.3",
      "82.8",
      "25",
    ]);
    expect(screen.getByText(/Average precision: 0.950 \(95% interval 0.910 to 0.980\)/)).toBeVisible();
    expect(screen.getByRole("img", { name: "Reliability diagram of BEM, 100 answers" })).toBeInTheDocument();
  });

  it("counts the answers people decided, not what these stand for where programs settled the others", async () => {
    startFakeServer({
      ...JUDGES_SERVER,
      "GET /api/projects/nq/judge-board/r1/thresholds": { ...SCORES, answers: 40 },
    });
    openApp(OPENED);
    expect(await screen.findByRole("img", { name: "ROC curve of BEM, 40 answers" })).toBeInTheDocument();
    expect(screen.getByRole("img", { name: "Reliability diagram of BEM, 40 answers" })).toBeInTheDocument();
    expect(screen.getByRole("columnheader", { name: "Answers represented" })).toBeVisible();
  });

  it("sweeps no scores of a few answers, whatever these stand for", async () => {
    startFakeServer({
      ...JUDGES_SERVER,
      "GET /api/projects/nq/judge-board/r1/thresholds": { ...SCORES, answers: 4 },
    });
    openApp(OPENED);
    expect(
      await screen.findByText(/^The judge has scored 4 answers\. That is too few for curves/),
    ).toBeVisible();
  });

  it("sets judges side by side in the parts of the study, by the figure chosen", async () => {
    startFakeServer(JUDGES_SERVER);
    openApp(`${OPENED}&by=answer_length&figure=cohen_kappa`);
    const table = await screen.findByRole("table", { name: "Cohen’s κ by answer length" });
    expect(
      await within(table).findByRole("row", { name: /^1 word 100 0.38\s?, 95% interval 0.20 to 0.50$/ }),
    ).toBeVisible();
    expect(screen.queryByText(/Computing intervals/)).toBeNull();
  });

  it("sets judges known by published numbers on a system’s answers in columns behind them", async () => {
    const system = { group: "", description: {}, prediction_count: 3 };
    const ofFid = { ...PUBLISHED, name: "Lexical", value: 0.869, system: "fid" };
    startFakeServer({
      ...JUDGES_SERVER,
      "GET /api/projects/nq/judge-board/r1/parts": {
        signature: "judge:bem|parts",
        parts: [{ ...SHORT, name: "FiD" }],
      },
      "GET /api/projects/nq/systems": [
        { ...system, id: "s1", name: "fid", label: "FiD" },
        { ...system, id: "s2", name: "gpt35", label: "GPT-3.5" },
        { ...system, id: "s3", name: "new", label: "Bing" },
      ],
      "GET /api/projects/nq/reference-scores": [
        ofFid,
        { ...ofFid, id: "p2", measure: "cohen_kappa", value: 0.5 },
        { ...ofFid, id: "p3", system: "gpt35", value: 0.848 },
        // Of all answers, and of a figure that is not shown.
        { ...ofFid, id: "p4", system: "", value: 0.111 },
        { ...ofFid, id: "p5", name: "BLEURT", measure: "f1", system: "new", value: 0.222 },
      ],
    });
    openApp(OPENED);
    const table = await screen.findByRole("table", { name: "Agrees with people (%) by system" });
    expect(
      await within(table).findByRole("columnheader", { name: /Lexical\s?published · EVOUNA-NQ/ }),
    ).toBeVisible();
    const rows = within(table).getAllByRole("row").slice(1);
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^FiD100.*86\.9of 301 answers$/),
      expect.stringMatching(/^GPT-3\.5––84\.8of 301 answers$/),
    ]);
    const saved = await savedRows("judges-by-system");
    expect(saved.map(({ judge, part, published }) => [judge, part, published])).toEqual([
      ["BEM", "FiD", ""],
      ["Lexical, EVOUNA-NQ", "FiD", "Wang et al. 2023"],
      ["Lexical, EVOUNA-NQ", "GPT-3.5", "Wang et al. 2023"],
      ["BLEURT, EVOUNA-NQ", "Bing", "Wang et al. 2023"],
    ]);
    expect(saved[1]).toMatchObject({
      accuracy_all: "0.869",
      cohen_kappa: "0.5",
      accuracy_all_low: "",
      tp: "",
    });
    expect(saved[3]).toMatchObject({ f1: "0.222", accuracy_all: "", signature: "" });
    expect(saved[0]).toMatchObject({ part: "FiD", signature: "judge:bem|parts" });
  });

  it("has no published numbers where parts are no systems", async () => {
    const calls = startFakeServer({
      ...JUDGES_SERVER,
      "GET /api/projects/nq/reference-scores": [{ ...PUBLISHED, name: "Lexical", system: "fid" }],
    });
    openApp(`${OPENED}&by=tag`);
    const table = await screen.findByRole("table", { name: "Agrees with people (%) by question tag" });
    expect(await screen.findByRole("table", { name: "Published results" })).toHaveTextContent("Lexical");
    expect(within(table).queryByText("Lexical")).toBeNull();
    expect(calls.some(({ path }) => path.endsWith("/systems"))).toBe(false);
  });

  it("links the answers on which two differ, and sets prompts side by side", async () => {
    startFakeServer(LLM_SERVER);
    openApp(OPENED);
    const pairs = await screen.findByRole("table", { name: "Pairs of judges" });
    expect(within(pairs).getByRole("link", { name: "5" })).toHaveAttribute(
      "href",
      "/nq/answers?accepted_by=r1&rejected_by=people",
    );
    expect(await screen.findAllByText("F1 95.3")).toHaveLength(2);
    const prompts = screen.getByRole("table", { name: "Accuracy and F1 of each prompt (%)" });
    const unmoved = await within(prompts).findByTitle(
      /^no interval: This figure does not vary across questions/,
    );
    expect(unmoved).toHaveTextContent("F1 95.3");
  });

  it("sets judges on the answers that every judge has judged, where one left some out", async () => {
    const partial = { ...rowWith(BEM, { counts: { unscored: 70 } }), key: "gpt", name: "GPT", run: "r2" };
    const onCommon = [BEM, partial].map((row) =>
      rowWith(row, { counts: { tp: 18, fn: 6, fp: 2, tn: 4, unscored: 0 } }),
    );
    const calls = startFakeServer({
      ...JUDGES_SERVER,
      "GET /api/projects/nq/judge-board": ({ query }: Call) =>
        query.includes("common=true") ? onCommon : [BEM, partial],
    });
    const router = openApp(OPENED);
    await userEvent.click(await screen.findByRole("radio", { name: "Judged by all judges" }));
    expect(await screen.findByText(/cover only the 30 answers that all judges have judged/)).toBeVisible();
    expect(router.state.location.search).toMatchObject({ answers: "common" });
    const asked = calls.filter(({ query }) => query.includes("common=true"));
    const bounded = asked.filter(({ query }) => query.includes("intervals=true"));
    expect(bounded.map(({ path }) => path)).toContain("/api/projects/nq/judge-board");
    expect(asked.map(({ path }) => path)).toContain("/api/projects/nq/judge-board/r1/parts");
  });

  it("says of what programs settled nothing is known while nobody has checked any", async () => {
    startFakeServer({ ...JUDGES_SERVER, "GET /api/projects/nq/judge-board": [{ ...BEM, left_out: 1299 }] });
    openApp(OPENED);
    expect(await screen.findByText(/settled 1,299 answers that people have not checked/)).toBeVisible();
    expect(screen.getByText(/exclude 1,299 answers that automatic judges settled/)).toBeVisible();
    expect(screen.queryByText(/BEM agrees with people’s decisions on/)).toBeNull();
  });

  it("offers no choice of answers where every judge has judged all", async () => {
    startFakeServer(JUDGES_SERVER);
    openApp(OPENED);
    await screen.findByText(/BEM agrees with people’s decisions/);
    expect(screen.queryByRole("radio", { name: "Judged by all judges" })).toBeNull();
  });

  it("says which of two judges agrees more with people, and whether chance alone gives that", async () => {
    startFakeServer(LLM_SERVER);
    openApp(OPENED);
    const table = await screen.findByRole("table", { name: "Which of two judges agrees more with people" });
    expect(within(table).getByRole("row", { name: /LLM judge and BEM/ })).toHaveTextContent(
      "+15.0, 95% interval +7.0 to +23.00.002yes1840.00496",
    );
    expect(screen.getByText(/The two judges differ significantly/)).toBeVisible();
    const [line] = await savedRows("differences-of-judges");
    expect(line).toMatchObject({ first: "BEM", second: "LLM judge", answers: "96", p_holm: "0.002" });
  });

  it("says in words what is not there yet", async () => {
    startFakeServer({
      ...JUDGES_SERVER,
      "GET /api/projects/nq/judge-board": [],
      "GET /api/projects/nq/setup": makeSetup({ annotators_present: 0, invited: 3, is_ready: false }),
    });
    openApp(OPENED);
    expect(await screen.findByText("No comparison with people yet")).toBeVisible();
    expect(screen.getByRole("button", { name: "judge to trust" })).toBeVisible();
    expect(await screen.findByText("3 invited annotators have not joined yet.")).toBeVisible();
    expect(screen.getByRole("link", { name: "Manage invitations" })).toHaveAttribute("href", "/nq/people");
    expect(screen.queryByText(/too few/)).toBeNull();
  });

  it("says beforehand that two annotators cannot show whether a judge may replace one", async () => {
    startFakeServer({
      ...JUDGES_SERVER,
      "GET /api/projects/nq/judge-board": [],
      "GET /api/projects/nq/setup": makeSetup({ annotators_needed: 2, annotators_present: 2 }),
    });
    openApp(OPENED);
    expect(await screen.findByText(/^2 annotators are too few to/)).toBeVisible();
    expect(
      screen.getByRole("button", { name: "test whether a judge can replace an annotator" }),
    ).toBeVisible();
  });

  it("says beside the folded test how many annotators it lacks", async () => {
    const rater = (letter: string): JudgeBoardRow => ({ ...PEOPLE, key: `another_human:${letter}` });
    const lacking = /The test needs 3 annotators who judged the same answers, but only 2 did\.$/;
    startFakeServer({
      ...JUDGES_SERVER,
      "GET /api/projects/nq/judge-board": [BEM, PEOPLE, rater("A"), rater("B")],
    });
    openApp("/nq/runs/board");
    expect(await screen.findByText(lacking)).toBeVisible();
    cleanup();
    startFakeServer({
      ...JUDGES_SERVER,
      "GET /api/projects/nq/judge-board": [BEM, PEOPLE, rater("A"), rater("B"), rater("C")],
    });
    openApp("/nq/runs/board");
    expect(await screen.findByText(/\(alternative annotator test\)\.$/)).toBeVisible();
    expect(screen.queryByText(lacking)).toBeNull();
  });

  it("says in every part with people’s decisions that they are preliminary while an audit runs", async () => {
    startFakeServer({
      ...LLM_SERVER,
      "GET /api/projects/nq/judge-board/pairs": { ...PAIRS, undecided: 2 },
      "GET /api/projects/nq/judge-board/differences": { ...DIFFERENCES, undecided: 3 },
      "GET /api/projects/nq/judge-board/r1/parts": { ...PARTS, undecided: 4 },
      "GET /api/projects/nq/judge-board/r2/parts": { ...PARTS, undecided: 4 },
    });
    openApp(OPENED);
    for (const count of [2, 3, 4]) {
      expect(
        await screen.findByText(new RegExp(`preliminary: ${count} distinct answers are undecided`)),
      ).toBeVisible();
    }
  });

  it("says in words that nothing can be paired or set side by side", async () => {
    startFakeServer({
      ...LLM_SERVER,
      "GET /api/projects/nq/judge-board/pairs": { signature: "", judges: [], pairs: [], undecided: 0 },
      "GET /api/projects/nq/judge-board/differences": { signature: "", judges: [], pairs: [], undecided: 0 },
      "GET /api/projects/nq/judge-board/strategies": [],
    });
    openApp(OPENED);
    expect(await screen.findByText(/needs two judges \(or a judge and people\)/)).toBeVisible();
    expect(await screen.findByText(/needs two judges with verdicts on answers that/)).toBeVisible();
    expect(await screen.findByText(/when the LLM judge has judged/)).toBeVisible();
  });
});

describe("the judges in short", () => {
  it("have their number of answers, and intervals once these are there", async () => {
    startFakeServer({ ...JUDGES_SERVER, "GET /api/projects/nq/runs": [RUN] });
    openApp("/nq/runs");
    const table = await screen.findByRole("table", { name: "Judges compared with people" });
    const row = within(await within(table).findByRole("row", { name: /^BEM 100 75\.0/ }));
    expect(await row.findByText(/95% interval 71.0 to 79.0/)).toBeInTheDocument();
    expect(row.getByText(/95% interval 18 to 33/)).toBeInTheDocument();
  });
});

describe("a run beside people", () => {
  const PARTS = "/api/projects/nq/judge-board/r1/parts";
  const SERVER = { ...JUDGES_SERVER, "GET /api/projects/nq/runs/r1": RUN };

  it("is compared once it is finished, and not before", async () => {
    let run: Run = { ...RUN, state: "running", done: 0, finished_at: null };
    const calls = startFakeServer({
      ...SERVER,
      "GET /api/projects/nq/runs/r1": () => run,
      [`GET ${PARTS}`]: { signature: "judge:bem|parts", parts: [{ ...SHORT, name: "FiD" }] },
    });
    openApp("/nq/runs/r1");
    expect(await screen.findByText("The comparison appears when the run has finished.")).toBeVisible();
    expect(calls.filter(({ path }) => path.startsWith(PARTS))).toEqual([]);
    run = RUN;
    expect(await screen.findByText("FiD", undefined, { timeout: 3_000 })).toBeVisible();
  });

  it("keeps its title and the way back where its requests fail", async () => {
    startFakeServer({ ...SERVER, "GET /api/projects/nq/runs/r1": new FakeError(400, "invalid", "Broken.") });
    openApp("/nq/runs/r1");
    expect(await screen.findByRole("alert")).toHaveTextContent("Broken.");
    expect(screen.getByRole("heading", { level: 1, name: "Run" })).toBeVisible();
    expect(screen.getByRole("link", { name: "All runs" })).toBeVisible();
  });

  it("says what its judge does", async () => {
    startFakeServer({ ...SERVER, [`GET ${PARTS}`]: { signature: "", parts: [] } });
    openApp("/nq/runs/r1");
    expect(await screen.findByText(RUN.summary)).toBeVisible();
  });

  it("shows errors or coefficients: all columns beside each other are wider than the page", async () => {
    startFakeServer({ ...SERVER, [`GET ${PARTS}`]: { signature: "", parts: [{ ...SHORT, name: "FiD" }] } });
    openApp("/nq/runs/r1");
    const table = within(await screen.findByRole("table", { name: /^Judge compared with people/ }));
    expect(table.getByRole("columnheader", { name: /^Bias \(points\)/ })).toBeVisible();
    expect(table.queryByRole("columnheader", { name: "Recall (%)" })).toBeNull();
    await userEvent.click(screen.getByRole("radio", { name: "Coefficients" }));
    expect(await table.findByRole("columnheader", { name: "Recall (%)" })).toBeVisible();
    expect(table.queryByRole("columnheader", { name: /^Bias \(points\)/ })).toBeNull();
  });

  it("has disagreed with nobody where it gave no verdict", async () => {
    const nothing = rowWith(SHORT, {
      counts: { tp: 0, fn: 0, fp: 0, tn: 0, unscored: 9 },
      values: { accuracy_all: 0 },
    });
    startFakeServer({
      ...SERVER,
      [`GET ${PARTS}`]: { signature: "judge:bem|parts", parts: [{ ...nothing, name: "FiD" }] },
    });
    openApp("/nq/runs/r1");
    const row = (await screen.findByRole("rowheader", { name: "FiD" })).closest("tr");
    expect(within(row as HTMLElement).getAllByRole("cell")[1]).toHaveTextContent("–");
  });
});
