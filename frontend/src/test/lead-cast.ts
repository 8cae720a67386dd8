/** Replies that the tests of the lead's pages are written with. */
import type {
  AnswerHistory,
  AnswerLine,
  AnswerPage,
  BestSystem,
  Dossier,
  Import,
  Leaderboard,
  LeaderboardColumn,
  Overview,
  ProjectDetail,
  QualityPlan,
  Queue,
  QueueItem,
  Results,
  Session,
  Setup,
  SystemRow,
  TrustedJudge,
} from "../api/schema";
import { makeFigure } from "../components/figure";
import { makeScore } from "./figures";

export const SESSION: Session = {
  user: { public_id: "u1", username: "lena", name: "Lena", language: "" },
  csrf_token: "token",
};

export const PROJECT: ProjectDetail = {
  slug: "nq",
  name: "NQ301",
  description: "",
  role: "lead",
  state: "open",
  cleaning: "none",
  unblinded: true,
  sees_systems: true,
  labels: [
    { key: "correct", name: "Correct", credit: "definite", needs_evidence: false, needs_comment: false },
    { key: "incorrect", name: "Incorrect", credit: "none", needs_evidence: false, needs_comment: false },
  ],
  gold_shown: false,
  guidelines_html: "",
};

export const QUALITY_PLAN: QualityPlan = {
  known_share: 0.05,
  repeat_share: 0,
  repeat_distance: 30,
  repeat_hours: 24,
  second_share: 0,
  is_training: false,
  pass_share: 0.8,
  least_answers: 5,
  hidden_answers: 0,
  second_judgments: 0,
  training_answers: 0,
  trainees: [],
};

/** Of twelve systems two answer 301 of 3,610 questions, as in OpenQA-eval. */
export const UNEVEN_COVERAGE = {
  systems: 12,
  behind: 2,
  behind_names: ["few", "zero"],
  fewest: 301,
  most: 301,
  common: 301,
  uneven: 3309,
};

export function makeSetup(changed: Partial<Setup> = {}): Setup {
  return {
    questions: 3610,
    without_gold: 0,
    coverage: { systems: 12, behind: 0, behind_names: [], fewest: 0, most: 0, common: 3610, uneven: 0 },
    sampled: 3610,
    sample_method: "all",
    to_judge: 12345,
    protocol: "OpenQA-eval",
    raters_per_answer: 2,
    annotators_needed: 3,
    annotators_with_lead: 2,
    annotators_present: 3,
    invited: 0,
    load_of_each: { answers: 8200, seconds: 246_900 },
    judges: ["Exact match", "Token F1"],
    judges_at_work: 0,
    is_ready: true,
    ...changed,
  };
}

/** Nothing imported. */
export function makeOverview(changed: Partial<Overview> = {}): Overview {
  return {
    stages: [],
    questions: 0,
    asked_questions: 0,
    left_out: 0,
    answers: 0,
    settled_by_programs: 0,
    settled_with_programs: 0,
    raters: [],
    forecast: null,
    needs: [],
    agreement: { kappa: makeFigure(null), words: "There are no two votes on one answer." },
    movement: null,
    why_no_movement: "People have not decided enough answers to score a system.",
    worker_running: true,
    ...changed,
  };
}

/** A study of which people have decided nothing yet. */
export function makeResults(
  changed: { system?: Partial<BestSystem>; judge?: Partial<TrustedJudge> } = {},
): Results {
  return {
    signature: "results|version:1",
    system: {
      undecided_because: "not_decided",
      scope: "sample",
      is_corrected: false,
      is_estimated: false,
      n_questions: 5,
      judged_questions: 0,
      open_questions: 5,
      decided_share: 0,
      programs_share: 0,
      leaders: [],
      rivals: [],
      worse: 0,
      unranked: [],
      ...changed.system,
    },
    judge: {
      untrusted_because: "nothing_decided",
      answers: 0,
      left_out: 0,
      is_audited: false,
      undecided: 0,
      reach: "all",
      judges: 0,
      best: null,
      rivals: [],
      worse: 0,
      best_without_caution: null,
      by_chance: [],
      unfinished: [],
      told: [],
      epsilon: 0.15,
      ...changed.judge,
    },
  };
}

export const BASE = {
  "GET /api/session": SESSION,
  "GET /api/projects/nq": PROJECT,
  "GET /api/projects/nq/quality-plan": QUALITY_PLAN,
  "GET /api/projects/nq/setup": makeSetup(),
  "GET /api/projects/nq/results": makeResults(),
  "GET /api/projects/nq/work/pilots": { untouched_questions: 0, pilots: [] },
  "GET /api/projects/nq/agreement/pilots": [],
};

export function makeQueueItem(id: string): QueueItem {
  return {
    id,
    question: `question ${id}`,
    answer: `answer ${id}`,
    reason: "disputed",
    votes: [
      { letter: "A", label: "correct" },
      { letter: "B", label: "incorrect" },
    ],
    waiting_since: null,
    flags: [],
    decided: null,
    number: 0,
    systems: null,
  };
}

export function makeQueue(ids: readonly string[], more: Partial<Queue> = {}): Queue {
  return {
    items: ids.map(makeQueueItem),
    total: ids.length,
    choices: { reason: [], flag: [], pair: [], judge: [] },
    shows_systems: false,
    may_show_systems: true,
    decided_today: 0,
    ...more,
  };
}

export function makeDossier(id: string, more: Partial<Dossier> = {}): Dossier {
  return {
    id,
    question: { id: `q-${id}`, text: `question ${id}`, gold: ["gold"] },
    answer: `answer ${id}`,
    state: "disputed",
    reason: "disputed",
    votes: [],
    skips: [],
    flags: [],
    decision: null,
    history: [],
    siblings: [],
    send_back_refusal: "",
    categories: [
      { key: "evidence", name: "Missing knowledge or evidence", meaning: "It can be looked up." },
      { key: "other", name: "Other", meaning: "None of these." },
    ],
    systems: null,
    ...more,
  };
}

export function makeHistory(id: string, state: AnswerHistory["state"]): AnswerHistory {
  return {
    id,
    question: {
      id: `q-${id}`,
      text: `question ${id}`,
      gold: ["gold"],
      amended_gold: ["gold"],
      corrections: [],
      answers: [],
      passages: [],
      passage_count: 0,
    },
    answer: `answer ${id}`,
    state,
    label: state === "decided" ? "correct" : "",
    predictions: [],
    votes: [],
    skips: [],
    decisions: [],
    gold_changes: [],
    verdicts: [],
  };
}

function makeColumn(key: string, name: string, kind: "judge" | "human"): LeaderboardColumn {
  const gold = kind === "human" ? "amended" : "original";
  const nothing = { same_order: null, pairs: null, same: null, alike: null, fewest: 30 };
  const tau = makeFigure(null, { why: "not_all_decided" });
  return { key, name, kind, gold, signature: key, unit: "accuracy", kendall_tau_b: tau, ...nothing };
}

function makeRow(label: string, exact: number, human: number, ranked: boolean): SystemRow {
  const score = (value: number, rank: number | null) =>
    makeScore(value, {
      correct: Math.round(value * 100),
      low: value - 0.05,
      high: value + 0.05,
      rank: makeFigure(rank),
    });
  return {
    system: label,
    label,
    description: {},
    n: 100,
    median_words: 2,
    has_long_answers: false,
    scores: {
      exact_match: score(exact, exact > 0.5 ? 1 : 2),
      human: score(human, ranked ? (human > 0.75 ? 1 : 2) : null),
    },
    decided_share: ranked ? 1 : 0.5,
    range: ranked ? null : [human - 0.2, human + 0.2],
  };
}

export function makeBoard(allDecided: boolean): Leaderboard {
  return {
    signature: "leaderboard|scope:sample|seed:1",
    scope: "sample",
    n_questions: 100,
    judged_questions: 100,
    all_decided: allDecided,
    is_estimated: false,
    programs_share: 0,
    columns: [
      makeColumn("exact_match", "Exact match", "judge"),
      makeColumn("human", "Amended gold", "human"),
    ],
    rows: [makeRow("Strict", 0.6, 0.7, allDecided), makeRow("Chatty", 0.2, 0.8, allDecided)],
  };
}

/** A board of which people decided such a share of each system's answers; the rest stands by exact match. */
export function makeBarelyDecided(share: number): Leaderboard {
  const board = makeBoard(true);
  const [exact, amended] = board.columns;
  if (!exact || !amended) throw new Error("The board lacks its columns.");
  const decided = { ...makeColumn("human_decided", "People, decided answers", "human"), gold: null };
  const rows = board.rows.map((row) => {
    const human = row.scores["human"];
    const own = human ? { ...human, n: Math.round(share * row.n) } : null;
    return { ...row, scores: { ...row.scores, human_decided: own } };
  });
  return { ...board, judged_questions: 30, columns: [exact, amended, decided], rows };
}

export function makeImport(more: Partial<Import> = {}): Import {
  return {
    id: "i1",
    files: [{ name: "DPR.jsonl", size: 1000 }],
    format: "generic",
    format_name: "Questions and answers",
    options: {},
    state: "ready",
    counts: { questions: 3, predictions: 3, systems: 1 },
    rows_total: 3,
    rows_done: 3,
    sample: [{ line: 1, question: "who", prediction: "me" }],
    columns: [],
    problems: [],
    causes: [],
    problem_count: 0,
    created_by: "Lena",
    created_at: "2026-11-21T06:00:00Z",
    applied_at: null,
    message: "",
    ...more,
  };
}

/** A line of the table of answers: one that people called correct. */
export const ANSWER_LINE: AnswerLine = {
  id: "c1",
  question_id: "q1",
  question: "who",
  dataset: "nq",
  tags: [],
  flags: [],
  answer: "me",
  words: 1,
  state: "decided",
  label: "correct",
  source: "unanimous",
  number: 1,
  systems: ["Alpha"],
  votes: [],
  verdicts: [],
};

export function makeAnswerPage(given: Partial<AnswerPage> = {}): AnswerPage {
  return {
    count: 0,
    before: 0,
    previous: null,
    next: null,
    questions: null,
    judges: [],
    answers: [],
    ...given,
  };
}
