import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import type {
  DeliveryRecord,
  Endpoint,
  PastPage,
  EmailSettings,
  ProjectDetail,
  Session,
  SsoConnection,
  Training,
  TrainingFeedback,
  TwoFactor,
} from "../api/schema";
import { setCatalog } from "../lib/i18n/catalog";
import { FakeError, startFakeServer } from "../test/fake-server";
import { makeSheet, makeWork } from "../test/judging-cast";
import { PROJECT } from "../test/lead-cast";
import { openApp } from "../test/open-app";
import { bracketingCatalog, stringsIn, wordsThatEscaped } from "../test/pseudo-locale";

const USER = { public_id: "u1", username: "anna", name: "Anna", language: "" } as const;
const SIGNED_IN: Session = { user: USER, csrf_token: "token" };
const SIGNED_OUT: Session = { user: null, csrf_token: "token" };
const STUDY: ProjectDetail = {
  ...PROJECT,
  role: "annotator",
  unblinded: false,
  guidelines_html: "<p>Ωμέγα</p>",
};
const SIGN_INS = {
  ...{ count: 3, before: 0, previous: null, next: "c2" },
  days: 90,
  events: [
    { id: 2, kind: "signed_in", at: "2026-01-02T00:00:00Z", client: "", user_agent: "" },
    {
      id: 1,
      kind: "sign_in_failed",
      at: "2026-01-01T00:00:00Z",
      client: "192.0.2.7",
      user_agent: "Gecko (Linux) Firefox/1",
    },
  ],
};
const LINE = {
  slug: "nq",
  name: "NQ301",
  role: "annotator",
  state: "archived",
  question_count: 3,
  answer_count: null,
  decided_count: null,
  left_questions: 2,
  waiting_decisions: null,
};
const NEXT = "POST /api/projects/nq/sheets/next";
const INVITATION = { project_name: "NQ301", project_slug: "nq", role: "annotator" };
const SHEET = makeSheet("s", 2, {
  question: { id: "q", text: "τίς ἔγραψεν", references: ["Ἰλιάς"], passages: null, flags: [] },
  checks: [{ key: "k", text: "ἀεί;", skips_answers: true }],
  asks_again: "checks",
});
const PAST: PastPage = {
  ...{ count: 41, before: 0, previous: null, next: "c2" },
  sheets: [
    {
      id: "s1",
      question: { id: "q1", text: "τίς ᾄδει", references: ["Ἰλιάς"], passages: null, flags: [] },
      checks: [{ text: "ἀεί;", answer: false }],
      answers: [
        {
          id: "a1",
          text: "Ὅμηρος",
          said: {
            label: "correct",
            comment: "",
            evidence_url: "",
            evidence_quote: "",
            judged_at: "2026-05-04T08:00:00Z",
          },
          decided: null,
        },
      ],
      handed_in_at: "2026-05-04T08:00:00Z",
    },
  ],
};
const TRAINING: Training = {
  state: "due",
  pass_share: 0.8,
  attempt: 2,
  done: 0,
  total: 1,
  sheet: {
    question_id: "q1",
    question: "τίς",
    references: null,
    passages: null,
    answers: [{ id: "a1", text: "Ὅμηρος" }],
  },
  result: null,
};
const TOLD: TrainingFeedback = {
  feedback: [
    {
      id: "a1",
      text: "Ὅμηρος",
      label: "correct",
      known_label: "incorrect",
      is_right: false,
      explanation: "",
    },
  ],
  training: { ...TRAINING, state: "passed", sheet: null },
};
const DUE = new FakeError(403, "forbidden", "", {}, "training_due");
const IN_TRAINING = { [NEXT]: DUE, "GET /api/projects/nq/training": TRAINING };
const GUIDELINES = { html: "<p>Ωμέγα</p>", hash: "h", lines: [{ kind: "added", text: "Ωμέγα" }] };
const UNREAD = { ...makeWork([SHEET]), guidelines_unread: "h" };
const WEBHOOKS = "/api/projects/nq/webhooks";
const WEBHOOK: Endpoint = {
  id: "w1",
  url: "https://ἄγγελος",
  events: ["item.decided", "queue.grew", "run.finished", "export.ready"],
  is_on: true,
  off_since: null,
  off_reason: "",
  failures: 0,
  failing_since: null,
  former_secret_until: "2999-01-01T00:00:00Z",
  created_at: "2026-05-04T08:00:00Z",
};
const DELIVERY: DeliveryRecord = {
  id: "d1",
  event: "item.decided",
  state: "delivered",
  tries: 1,
  status: 204,
  error: "",
  created_at: "2026-05-04T08:00:00Z",
  next_try_at: null,
  finished_at: "2026-05-04T08:00:01Z",
};

interface Scene {
  readonly name: string;
  readonly path: string;
  readonly replies?: Readonly<Record<string, unknown>>;
  /** What is done before one looks. */
  readonly act?: () => Promise<unknown>;
}

const press = (name: string | RegExp) => async () =>
  userEvent.click((await screen.findAllByRole("button", { name }))[0] as HTMLElement);
const type = (keys: string) => async () => {
  await screen.findByRole("heading", { level: 1 });
  if (keys !== "") await userEvent.keyboard(keys);
};
const work = (path: string, keys: string, name: string): Scene => ({
  name,
  path,
  replies: { [NEXT]: makeWork([SHEET], { median_seconds: 90, judged_questions: 1 }) },
  act: type(keys),
});

const MAIL = { ...SIGNED_IN, sends_mail: true };
const EMAIL: EmailSettings = { is_on: true, address: "", confirmed_at: null, pending: "", digest: "off" };
const CONFIRMED = { address: "anna@example.org", confirmed_at: "2026-01-01T00:00:00Z" };

const TWO_FACTOR = "GET /api/account/two-factor";
const TWO_FACTOR_OFF: TwoFactor = { is_on: false, turned_on_at: null, recovery_codes_left: 0 };
const TWO_FACTOR_ON: TwoFactor = {
  is_on: true,
  turned_on_at: "2026-01-01T00:00:00Z",
  recovery_codes_left: 2,
};

const SSO_OFFER = { provider: "Πανεπιστήμιο", creates_accounts: false };
const SSO_FREE: SsoConnection = {
  provider: "Πανεπιστήμιο",
  connected_at: null,
  ended_at: null,
  has_password: true,
  ends_with_password: true,
};

const SCENES: readonly Scene[] = [
  {
    name: "signing in, refused",
    path: "/sign-in",
    replies: {
      "GET /api/session": SIGNED_OUT,
      "POST /api/session": new FakeError(403, "forbidden", "", {}, "wrong_credentials"),
    },
    act: async () => {
      await userEvent.type(await screen.findByLabelText(/Username/), "anna");
      await userEvent.type(screen.getByLabelText(/Password/), "x{Enter}");
      await screen.findByRole("alert");
    },
  },
  {
    name: "signing in with a code",
    path: "/sign-in",
    replies: {
      "GET /api/session": SIGNED_OUT,
      "POST /api/session": new FakeError(403, "forbidden", "", {}, "code_needed"),
    },
    act: async () => {
      await userEvent.type(await screen.findByLabelText(/Username/), "anna");
      await userEvent.type(screen.getByLabelText(/Password/), "x{Enter}");
      await screen.findByLabelText(/Authentication code/);
    },
  },
  { name: "an invitation", path: "/join/t", replies: { "GET /api/invitations/t": INVITATION } },
  {
    name: "an invitation without an account",
    path: "/join/t",
    replies: { "GET /api/session": SIGNED_OUT, "GET /api/invitations/t": { ...INVITATION, role: "lead" } },
  },
  {
    name: "an invitation that does not work",
    path: "/join/t",
    replies: { "GET /api/invitations/t": new FakeError(404, "not_found", "", {}, "invitation_unusable") },
  },
  {
    name: "a link for a new password",
    path: "/password/t",
    replies: { "GET /api/password-links/t": { username: "anna" } },
  },
  {
    name: "a link for a new password that was used",
    path: "/password/t",
    replies: {
      "GET /api/password-links/t": new FakeError(404, "not_found", "", {}, "password_link_unusable"),
    },
  },
  {
    name: "the projects",
    path: "/",
    replies: { "GET /api/projects": [LINE, { ...LINE, slug: "b", left_questions: 0 }] },
  },
  {
    name: "a forgotten password",
    path: "/sign-in",
    replies: { "GET /api/session": { ...SIGNED_OUT, sends_mail: true }, "POST /api/password-requests": {} },
    act: async () => {
      await userEvent.click(await screen.findByRole("link", { name: /Forgot/ }));
      await userEvent.type(await screen.findByLabelText(/Username or email/), "anna{Enter}");
      await screen.findByText(/Check your email/);
    },
  },
  {
    name: "a link that confirms an address",
    path: "/account/confirm-email/t",
    replies: {
      "GET /api/email-links/t": { username: "anna", address: "anna@example.org" },
      "POST /api/email-links/t": {},
    },
    act: press(/Confirm/),
  },
  {
    name: "a link that ends messages",
    path: "/account/unsubscribe/t",
    replies: { "POST /api/unsubscribe/t": {} },
    act: press(/Unsubscribe/),
  },
  {
    name: "the account with an address",
    path: "/account",
    replies: {
      "GET /api/session": MAIL,
      "GET /api/projects": [],
      [TWO_FACTOR]: TWO_FACTOR_OFF,
      "GET /api/account/email": { ...EMAIL, ...CONFIRMED, pending: "ann@example.org" },
    },
    act: press(/Remove email/),
  },
  {
    name: "the account without an address",
    path: "/account",
    replies: {
      "GET /api/session": MAIL,
      "GET /api/projects": [],
      [TWO_FACTOR]: TWO_FACTOR_OFF,
      "GET /api/account/email": EMAIL,
    },
  },
  { name: "no project", path: "/", replies: { "GET /api/projects": [] } },
  {
    name: "the account",
    path: "/account",
    replies: {
      "GET /api/projects": [LINE],
      "GET /api/account/sign-ins": SIGN_INS,
      [TWO_FACTOR]: TWO_FACTOR_OFF,
    },
  },
  {
    name: "signing in with a provider",
    path: "/sign-in?failed=sso_unknown",
    replies: { "GET /api/session": SIGNED_OUT, "GET /api/sso": SSO_OFFER },
  },
  {
    name: "the account before it is connected to a provider",
    path: "/account?failed=sso_stale",
    replies: { "GET /api/projects": [], "GET /api/account/sso": SSO_FREE },
    act: press(/Connect/),
  },
  {
    name: "the account connected to a provider",
    path: "/account?sso=connected",
    replies: {
      "GET /api/projects": [],
      "GET /api/account/sso": { ...SSO_FREE, connected_at: "2026-01-01T00:00:00Z" },
    },
    act: press(/Disconnect/),
  },
  {
    name: "the account without a password",
    path: "/account",
    replies: { "GET /api/projects": [], "GET /api/account/sso": { ...SSO_FREE, has_password: false } },
  },
  {
    name: "the account with two-factor authentication",
    path: "/account",
    replies: { "GET /api/projects": [], [TWO_FACTOR]: TWO_FACTOR_ON },
    act: press(/Turn off/),
  },
  {
    name: "setting up two-factor authentication",
    path: "/account",
    replies: {
      "GET /api/projects": [],
      [TWO_FACTOR]: TWO_FACTOR_OFF,
      "POST /api/account/two-factor": { secret: "", address: "", qr_code: "data:," },
      "POST /api/account/two-factor/turn-on": { codes: [] },
    },
    act: async () => {
      await press(/Set up/)();
      await userEvent.keyboard("x{Enter}");
      await userEvent.type(await screen.findByLabelText(/Code from the app/), "123456");
      await press(/Turn on/)();
      await screen.findByText(/Save your recovery codes/);
    },
  },
  {
    name: "leaving a project",
    path: "/account",
    replies: { "GET /api/projects": [LINE], [TWO_FACTOR]: TWO_FACTOR_OFF },
    act: press(/Leave/),
  },
  {
    name: "closing the account",
    path: "/account",
    replies: { "GET /api/projects": [], [TWO_FACTOR]: TWO_FACTOR_OFF },
    act: press(/Close account/),
  },
  work("/nq/judge", "", "a sheet"),
  work("/nq/judge", "2", "a sheet's answers"),
  work("/nq/judge", "1", "a sheet whose answers are skipped"),
  work("/nq/judge", "2c", "a comment"),
  work("/nq/judge", "?", "the keys"),
  work("/nq/judge", "s", "skipping"),
  work("/nq/judge", "f", "flagging"),
  work("/nq/judge", "g", "the guidelines beside the work"),
  { name: "nothing left", path: "/nq/judge", replies: { [NEXT]: makeWork([], { judged_questions: 2 }) } },
  { name: "nothing yet", path: "/nq/judge", replies: { [NEXT]: makeWork([]) } },
  {
    name: "no work to be had",
    path: "/nq/judge",
    replies: { [NEXT]: new FakeError(403, "forbidden", "", {}, "paused") },
  },
  ...["unread", "changed"].map((standing) => ({
    name: `guidelines to be read: ${standing}`,
    path: "/nq/judge",
    replies: { [NEXT]: UNREAD, "GET /api/projects/nq/guidelines": { ...GUIDELINES, standing } },
    act: () => screen.findByRole("heading", { level: 1 }),
  })),
  { name: "the training", path: "/nq/judge", replies: IN_TRAINING, act: type("") },
  {
    name: "the training, told what is right",
    path: "/nq/judge",
    replies: { ...IN_TRAINING, "POST /api/projects/nq/training/answers": TOLD },
    act: async () => {
      await type("1{Enter}")();
      await screen.findByText("⟦Your label:⟧");
    },
  },
  {
    name: "the training, failed",
    path: "/nq/judge",
    replies: {
      ...IN_TRAINING,
      "GET /api/projects/nq/training": {
        ...TRAINING,
        state: "failed",
        sheet: null,
        result: { right: 0, total: 1, is_passed: false },
      },
    },
  },
  { name: "one's own judgments", path: "/nq/judged", replies: { "GET /api/projects/nq/judged": PAST } },
  {
    name: "no judgments of one's own",
    path: "/nq/judged",
    replies: { "GET /api/projects/nq/judged": { ...PAST, count: 0, next: null, sheets: [] } },
  },
  {
    name: "changing a judgment",
    path: "/nq/judged",
    replies: { "GET /api/projects/nq/judged": PAST },
    act: press(/Change your judgment/),
  },
  {
    name: "webhooks",
    path: "/nq/settings/webhooks",
    replies: {
      [`GET ${WEBHOOKS}`]: [
        WEBHOOK,
        { ...WEBHOOK, id: "w2", failures: 2, failing_since: "2026-05-04T08:00:00Z" },
        { ...WEBHOOK, id: "w3", is_on: false, off_since: "2026-05-04T08:00:00Z", off_reason: "πολλά" },
      ],
      [`GET ${WEBHOOKS}/w1/deliveries`]: [
        DELIVERY,
        { ...DELIVERY, id: "d2", state: "given_up", event: "webhook.test", error: "πολλά" },
        { ...DELIVERY, id: "d3", state: "waiting", next_try_at: "2999-01-01T00:00:00Z", finished_at: null },
        { ...DELIVERY, id: "d4" },
      ],
      [`GET ${WEBHOOKS}/w2/deliveries`]: [],
      [`GET ${WEBHOOKS}/w3/deliveries`]: [],
    },
    act: async () => {
      await screen.findAllByRole("table");
      await press(/Edit events/)();
    },
  },
  {
    name: "a webhook's secret",
    path: "/nq/settings/webhooks",
    replies: {
      [`GET ${WEBHOOKS}`]: [],
      [`POST ${WEBHOOKS}`]: { webhook: WEBHOOK, secret: "μυστικόν" },
    },
    act: async () => {
      await press(/Add webhook/)();
      await userEvent.type(await screen.findByLabelText(/URL/), "https{Enter}");
      await screen.findByDisplayValue("μυστικόν");
    },
  },
  ...[/Rotate secret/, /Delete/].map((name) => ({
    name: `a webhook: ${name.source}`,
    path: "/nq/settings/webhooks",
    replies: { [`GET ${WEBHOOKS}`]: [WEBHOOK], [`GET ${WEBHOOKS}/w1/deliveries`]: [] },
    act: press(name),
  })),
  { name: "a page that is not there", path: "/nq/no/such/page" },
];

beforeEach(() => {
  setCatalog("en", bracketingCatalog());
});

describe("no word escapes the catalogs", () => {
  it.each(SCENES)("$name", async ({ path, replies, act }) => {
    const all = { "GET /api/session": SIGNED_IN, "GET /api/projects/nq": STUDY, ...replies };
    startFakeServer(all);
    openApp(path);
    await screen.findByRole("heading", { level: 1 });
    await act?.();
    expect(document.body.textContent).toContain("⟦");
    expect(wordsThatEscaped(["Assay", "https", ...stringsIn(all)])).toEqual([]);
  });
});
