/** The shapes the server and the pages agree on, one name each. */

/* ---------- building blocks of `paths` ---------- */

interface Json<Body> {
  content: { "application/json": Body };
}

type Parameters<Path, Query> = { query?: Query; header?: never; cookie?: never } & ([Path] extends [never]
  ? { path?: never }
  : { path: Path });

interface Operation<Reply, Body, Path, Query> {
  parameters: Parameters<Path, Query>;
  requestBody?: [Body] extends [never] ? never : Json<Body>;
  responses: { 200: { headers: Record<string, unknown> } & Json<Reply> };
}

interface Endpoint<Path, Get = never, Post = never, Put = never, Patch = never, Delete = never> {
  parameters: { query?: never; header?: never; path?: never; cookie?: never };
  get: Get;
  put: Put;
  post: Post;
  delete: Delete;
  options?: never;
  head?: never;
  patch: Patch;
  trace?: never;
  /** Only here so that the type parameter is used. */
  __path?: Path;
}

type Read<Reply, Path = never, Query = never> = Operation<Reply, never, Path, Query>;
type Write<Reply, Body, Path = never> = Operation<Reply, Body, Path, never>;

/* ---------- session and accounts ---------- */

export interface User {
  public_id: string;
  username: string;
  name: string;
}
export interface Session {
  user: User | null;
  csrf_token: string;
}
export interface Credentials {
  username: string;
  password: string;
}
export interface Invitation {
  project_name: string;
  project_slug: string;
  role: Role;
  expires_at: string;
  /** Why the link no longer works, or nothing. */
  unusable_reason: string;
}
export interface InvitationAcceptance {
  username?: string;
  name?: string;
  password?: string;
}
export interface Membership {
  project_slug: string;
  role: Role;
}

/* ---------- projects ---------- */

export type Role = "lead" | "adjudicator" | "annotator";

export interface LabelSpec {
  key: string;
  name: string;
  credit: string;
}
export interface CheckSpec {
  key: string;
  text: string;
  /** A yes makes judging the answers pointless. */
  skips_answers: boolean;
}
export interface Preset {
  key: string;
  name: string;
  summary: string;
  spec: Record<string, unknown>;
}
export interface ProjectLine {
  slug: string;
  name: string;
  role: Role;
  state: string;
  question_count: number;
  answer_count: number;
  decided_count: number;
  open_for_me: number;
}
export interface Project {
  slug: string;
  name: string;
  description: string;
  role: Role;
  state: string;
  unblinded: boolean;
  labels: LabelSpec[];
  gold_shown: boolean;
  guidelines_html: string;
}
export interface ProtocolVersion {
  number: number;
  content_hash: string;
  frozen_at: string | null;
  spec: Record<string, unknown>;
}
export interface ProjectDraft {
  name: string;
  slug?: string;
  preset: string;
  pooling?: string;
  description?: string;
}
export interface Member {
  public_id: string;
  name: string;
  username: string;
  role: Role;
  state: string;
  pseudonym: string;
  judged_count: number;
  joined_at: string;
}
export interface SentInvitation {
  public_id: string;
  url_path?: string | null;
  role: Role;
  label: string;
  created_at: string;
  expires_at: string;
  accepted_at: string | null;
  /** Why the link no longer works; empty while it does. */
  unusable_reason: string;
}

/* ---------- import ---------- */

export interface ImportProblem {
  file: string;
  line: number | null;
  column: string | null;
  severity: "error" | "warning";
  code: string;
  message: string;
}
export interface ImportOption {
  name: string;
  default: string;
  choices: string[];
  help: string;
}
export interface ImportFormat {
  key: string;
  name: string;
  summary: string;
  options: ImportOption[];
}
export type ImportState = "checking" | "ready" | "refused" | "applying" | "applied" | "failed" | "undone";
export interface Import {
  id: string;
  files: { name: string; size: number }[];
  format: string | null;
  format_name: string | null;
  options: Record<string, unknown>;
  state: ImportState;
  counts: Record<string, number>;
  rows_total: number | null;
  rows_done: number;
  sample: Record<string, unknown>[];
  problems: ImportProblem[];
  problem_count: number;
  created_by: string;
  created_at: string;
  applied_at: string | null;
  message: string;
}
export interface System {
  id: string;
  name: string;
  label: string;
  description: Record<string, unknown>;
}
export interface Sample {
  questions: number;
  sampled: number;
  method: string;
}

/* ---------- judging ---------- */

export interface SheetAnswer {
  id: string;
  text: string;
}
export interface SheetQuestion {
  id: string;
  text: string;
  references: string[] | null;
  /** The kinds of this rater's own flags. */
  flags: string[];
}
export interface AnswerJudgment {
  id: string;
  label: string | null;
  skip_reason: string;
  comment: string;
  evidence_url: string;
  evidence_quote: string;
}
export interface SheetDraft {
  answers: AnswerJudgment[];
  checks: Record<string, boolean>;
}
export interface Sheet {
  id: string;
  question: SheetQuestion;
  checks: CheckSpec[];
  answers: SheetAnswer[];
  lease_expires_at: string;
  draft: SheetDraft | null;
}
export interface Progress {
  judged_questions: number;
  judged_answers: number;
  left_questions: number;
  median_seconds: number | null;
  can_undo: boolean;
}
export interface Work {
  sheets: Sheet[];
  progress: Progress;
  nothing_left: boolean;
  outcome?: { counted: number; surplus: number; message: string };
}
export interface Submission {
  submission_key: string;
  answers: AnswerJudgment[];
  checks: Record<string, boolean>;
  seconds: number;
  ahead: number;
}

export interface Skip {
  submission_key: string;
  reason: string;
  ahead: number;
}

/* ---------- adjudication ---------- */

export interface AnonymousVote {
  letter: string;
  label: string;
}
export interface FullVote extends AnonymousVote {
  comment: string;
  evidence_url: string;
  evidence_quote: string;
  round: string;
  counted: boolean;
}
export interface QueueItem {
  id: string;
  question: string;
  answer: string;
  reason: string;
  votes: AnonymousVote[];
  waiting_since: string | null;
  flags: { kind: string; note: string }[];
}
export interface Queue {
  items: QueueItem[];
  decided_today: number;
}
export interface Decision {
  number: number;
  is_current: boolean;
  is_reopening: boolean;
  label: string;
  source: string;
  rule: string;
  reason: string;
  category: string;
  by: string;
  at: string;
}
export interface QueueDetail {
  id: string;
  question: { id: string; text: string; gold: string[] };
  answer: string;
  state: string;
  reason: string | null;
  votes: FullVote[];
  flags: { kind: string; note: string }[];
  decision: Decision | null;
  history: Decision[];
  siblings: { id: string; answer: string; label: string | null; state: string }[];
  categories: string[];
}

/* ---------- gold, agreement ---------- */

export interface GoldChange {
  id: string;
  question: string;
  question_id: string;
  action: "added" | "removed";
  text: string;
  reason: string;
  rule: string;
  by: string | null;
  at: string;
  undone_at: string | null;
  undo_reason: string;
}
export interface GoldLedger {
  summary: { original: number; added: number; removed: number; version: string };
  changes: GoldChange[];
  count?: number;
  page?: number;
  page_count?: number;
}
export interface AgreementReport {
  missing_votes: string;
  items: number;
  disagreements: number;
  observed_agreement: number | null;
  cohen_kappa: number | null;
  fleiss_kappa: number | null;
  krippendorff_alpha: number | null;
  interval: Record<string, number[] | null>;
  raters: number;
  pairs: {
    a: string;
    b: string;
    items: number;
    observed: number | null;
    cohen: number | null;
    words: string;
  }[];
  words: Record<string, string>;
  rule_text: string;
  distribution: Record<string, number>;
  band: string;
}

/* ---------- judges, leaderboard, overview ---------- */

export interface JudgeOption {
  name: string;
  type: string;
  default: unknown;
  choices: string[] | null;
  help: string;
}
export interface Judge {
  key: string;
  name: string;
  summary: string;
  source: string;
  options: JudgeOption[];
  extra: string | null;
  available: boolean;
}
export interface Run {
  id: string;
  judge: string;
  name: string;
  signature: string;
  options: Record<string, unknown>;
  state: string;
  total: number;
  done: number;
  unscored: number;
  failed: number;
  rate_per_second: number | null;
  seconds_left: number | null;
  started_at: string | null;
  finished_at: string | null;
  failures: { reason: string; count: number }[];
  message: string;
  gold_version: number;
  stale: boolean;
}
export interface Worker {
  running: boolean;
  command: string;
}
export interface LeaderboardColumn {
  key: string;
  name: string;
  kind: "judge" | "human";
  gold: "original" | "amended" | null;
  signature: string;
  unit: "accuracy" | "f1";
  kendall_tau_b: number | null;
  kendall_words: string;
}
export interface LeaderboardScore {
  value: number;
  correct: number | null;
  n: number;
  low: number | null;
  high: number | null;
  rank: number | null;
}
export interface LeaderboardRow {
  system: string;
  label: string;
  description: Record<string, unknown>;
  n: number;
  scores: Record<string, LeaderboardScore | null>;
  decided_share: number;
  range: number[] | null;
}
export interface Leaderboard {
  scope: "sample" | "entire";
  n_questions: number;
  columns: LeaderboardColumn[];
  rows: LeaderboardRow[];
  all_decided: boolean;
}
export interface JudgeBoardRow {
  key: string;
  name: string;
  tp: number;
  fn: number;
  fp: number;
  tn: number;
  unscored: number;
  accuracy_all: number | null;
  accuracy_scored: number | null;
  coverage: number | null;
  macro_f1: number | null;
  kendall_tau_b: number | null;
}
export interface Overview {
  stages: { key: string; name: string; count: number }[];
  questions: number;
  answers: number;
  raters: {
    pseudonym: string;
    name: string;
    judged: number;
    per_hour: number | null;
    last_seen: string | null;
  }[];
  forecast_seconds: number | null;
  needs: { key: string; text: string; count: number; href: string }[];
  agreement: { value: number; low: number | null; high: number | null; words: string } | null;
  movement: { largest_gain: number; system: string } | null;
  worker_running: boolean;
}

/* ---------- explorer, export ---------- */

export interface AnswerLine {
  id: string;
  question: string;
  answer: string;
  state: string;
  label: string | null;
  source: string | null;
  systems: string[];
  votes: AnonymousVote[];
}
export interface VerdictLine {
  judge: string;
  name: string;
  signature: string;
  accepted: boolean | null;
  score: number | null;
  reason: string;
  raw_reply: string;
}
export interface AnswerHistory {
  id: string;
  question: { id: string; text: string; gold: string[] };
  answer: string;
  state: string;
  label: string | null;
  predictions: { system: string; text: string; rank: number | null }[];
  votes: (FullVote & { seconds: number | null; at: string; revisions: { label: string; at: string }[] })[];
  decisions: Decision[];
  gold_changes: GoldChange[];
  verdicts: VerdictLine[];
}
export interface AnswerPage {
  count: number;
  page: number;
  page_count: number;
  answers: AnswerLine[];
}
export interface ExportFormat {
  key: string;
  name: string;
  summary: string;
  file_name: string;
  command: string;
  row_count: number;
  preview: string[];
}
export interface Export {
  id: string;
  format: string;
  name: string;
  state: string;
  rows: number | null;
  sha256: string | null;
  size: number | null;
  created_at: string;
  finished_at: string | null;
  message: string;
}

/* ---------- the paths ---------- */

type Slug = { slug: string };
type SlugAnd<Key extends string> = Slug & Record<Key, string>;

export interface paths {
  "/api/session": Endpoint<
    unknown,
    Read<Session>,
    Write<Session, Credentials>,
    never,
    never,
    Write<Session, never>
  >;
  "/api/invitations/{token}": Endpoint<unknown, Read<Invitation, { token: string }>>;
  "/api/invitations/{token}/accept": Endpoint<
    unknown,
    never,
    Write<Membership, InvitationAcceptance, { token: string }>
  >;
  "/api/presets": Endpoint<unknown, Read<Preset[]>>;
  "/api/projects": Endpoint<unknown, Read<ProjectLine[]>, Write<Project, ProjectDraft>>;
  "/api/projects/{slug}": Endpoint<
    unknown,
    Read<Project, Slug>,
    never,
    never,
    Write<Project, { name?: string; description?: string }, Slug>
  >;
  "/api/projects/{slug}/protocol": Endpoint<
    unknown,
    Read<ProtocolVersion, Slug>,
    never,
    Write<ProtocolVersion, { spec: Record<string, unknown> }, Slug>
  >;
  "/api/projects/{slug}/members": Endpoint<unknown, Read<Member[], Slug>>;
  "/api/projects/{slug}/members/{id}": Endpoint<
    unknown,
    never,
    never,
    never,
    Write<Member, { role?: Role; state?: string }, SlugAnd<"id">>
  >;
  "/api/projects/{slug}/invitations": Endpoint<
    unknown,
    Read<SentInvitation[], Slug>,
    Write<SentInvitation, { role: Role; label: string; expires_in_days?: number }, Slug>
  >;
  "/api/projects/{slug}/invitations/{id}": Endpoint<
    unknown,
    never,
    never,
    never,
    never,
    Write<unknown, never, SlugAnd<"id">>
  >;
  "/api/projects/{slug}/import-formats": Endpoint<unknown, Read<ImportFormat[], Slug>>;
  "/api/projects/{slug}/imports": Endpoint<
    unknown,
    Read<Import[], Slug>,
    Write<Import, { files: string[]; format?: string; options?: string }, Slug>
  >;
  "/api/projects/{slug}/imports/{id}": Endpoint<
    unknown,
    Read<Import, SlugAnd<"id">>,
    never,
    never,
    never,
    Write<unknown, never, SlugAnd<"id">>
  >;
  "/api/projects/{slug}/imports/{id}/check": Endpoint<
    unknown,
    never,
    Write<Import, { format?: string; options: Record<string, unknown> }, SlugAnd<"id">>
  >;
  "/api/projects/{slug}/imports/{id}/confirm": Endpoint<unknown, never, Write<Import, never, SlugAnd<"id">>>;
  "/api/projects/{slug}/imports/{id}/undo": Endpoint<unknown, never, Write<Import, never, SlugAnd<"id">>>;
  "/api/projects/{slug}/systems": Endpoint<unknown, Read<System[], Slug>>;
  "/api/projects/{slug}/systems/{id}": Endpoint<
    unknown,
    never,
    never,
    never,
    Write<System, { label?: string; description?: Record<string, unknown> }, SlugAnd<"id">>
  >;
  "/api/projects/{slug}/sample": Endpoint<
    unknown,
    Read<Sample, Slug>,
    Write<Sample, Record<string, unknown>, Slug>
  >;
  "/api/projects/{slug}/sheets/next": Endpoint<unknown, never, Write<Work, { ahead: number }, Slug>>;
  "/api/projects/{slug}/sheets/undo": Endpoint<unknown, never, Write<Work, { ahead: number }, Slug>>;
  "/api/projects/{slug}/sheets/{id}/submit": Endpoint<unknown, never, Write<Work, Submission, SlugAnd<"id">>>;
  "/api/projects/{slug}/sheets/{id}/skip": Endpoint<unknown, never, Write<Work, Skip, SlugAnd<"id">>>;
  "/api/projects/{slug}/sheets/{id}/flags": Endpoint<
    unknown,
    never,
    Write<unknown, { kind: string; note: string }, SlugAnd<"id">>
  >;
  "/api/projects/{slug}/queue": Endpoint<unknown, Read<Queue, Slug, { reason?: string }>>;
  "/api/projects/{slug}/queue/{candidate}": Endpoint<unknown, Read<QueueDetail, SlugAnd<"candidate">>>;
  "/api/projects/{slug}/answers/{candidate}/decision": Endpoint<
    unknown,
    never,
    Write<
      QueueDetail,
      { label: string; reason: string; category?: string; seen_number?: number | null },
      SlugAnd<"candidate">
    >
  >;
  "/api/projects/{slug}/answers/{candidate}/reopen": Endpoint<
    unknown,
    never,
    Write<QueueDetail, { reason: string }, SlugAnd<"candidate">>
  >;
  "/api/projects/{slug}/gold": Endpoint<
    unknown,
    Read<GoldLedger, Slug, { question?: string; page?: number }>
  >;
  "/api/projects/{slug}/gold/{change}/undo": Endpoint<
    unknown,
    never,
    Write<GoldChange, { reason: string }, SlugAnd<"change">>
  >;
  "/api/projects/{slug}/agreement": Endpoint<
    unknown,
    Read<AgreementReport, Slug, { missing_votes?: string }>
  >;
  "/api/judges": Endpoint<unknown, Read<Judge[]>>;
  "/api/projects/{slug}/runs": Endpoint<
    unknown,
    Read<Run[], Slug>,
    Write<Run, { judge: string; options: Record<string, unknown> }, Slug>
  >;
  "/api/projects/{slug}/runs/{id}/retry": Endpoint<unknown, never, Write<Run, never, SlugAnd<"id">>>;
  "/api/projects/{slug}/runs/{id}/cancel": Endpoint<unknown, never, Write<Run, never, SlugAnd<"id">>>;
  "/api/worker": Endpoint<unknown, Read<Worker>>;
  "/api/projects/{slug}/leaderboard": Endpoint<
    unknown,
    Read<Leaderboard, Slug, { scope?: "sample" | "entire" }>
  >;
  "/api/projects/{slug}/judge-board": Endpoint<unknown, Read<JudgeBoardRow[], Slug>>;
  "/api/projects/{slug}/overview": Endpoint<unknown, Read<Overview, Slug>>;
  "/api/projects/{slug}/answers": Endpoint<
    unknown,
    Read<AnswerPage, Slug, { search?: string; state?: string; page?: number }>
  >;
  "/api/projects/{slug}/answers/{id}": Endpoint<unknown, Read<AnswerHistory, SlugAnd<"id">>>;
  "/api/projects/{slug}/export-formats": Endpoint<unknown, Read<ExportFormat[], Slug>>;
  "/api/projects/{slug}/exports": Endpoint<
    unknown,
    Read<Export[], Slug>,
    Write<Export, { format: string }, Slug>
  >;
  "/api/exports/{id}": Endpoint<unknown, Read<Export, { id: string }>>;
}
