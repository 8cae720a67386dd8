/** The shapes the server and the pages agree on, one name each. */

import type { components } from "./schema";

type Schemas = components["schemas"];

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

export type User = Schemas["User"];
export type Session = Schemas["Session"];
export type Credentials = Schemas["SignInRequest"];
export type Invitation = Schemas["InvitationByToken"];
export type InvitationAcceptance = Schemas["InvitationAcceptRequest"];
export type Membership = Schemas["Joined"];

/* ---------- projects ---------- */

export type Role = Schemas["RoleEnum"];

export type LabelSpec = Schemas["Label"];
export type CheckSpec = Schemas["BlindCheck"];
export type Preset = Schemas["Preset"];
export type ProjectLine = Schemas["ProjectListItem"];
export type Project = Schemas["ProjectDetail"];
export type ProtocolVersion = Schemas["Protocol"];
export type ProjectDraft = Schemas["ProjectCreateRequest"];
export type Member = Schemas["Member"];
export type SentInvitation = Schemas["Invitation"];

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

export type SheetAnswer = Schemas["BlindAnswer"];
export type SheetQuestion = Schemas["BlindQuestion"];
export type AnswerJudgment = Schemas["DraftAnswer"];
export type SheetDraft = Schemas["Draft"];
export type FlagKind = Schemas["FlagKindEnum"];
export type Sheet = Schemas["BlindSheet"];
export type Progress = Schemas["Progress"];
/** A reply that hands a sheet in says what that came to. */
export type Work = Schemas["Work"] & { outcome?: Schemas["Outcome"] };
export type Submission = Schemas["SubmitRequest"];

export type Skip = Schemas["SkipRequest"];

/* ---------- adjudication ---------- */

export type AnonymousVote = Schemas["QueueVote"];
export type FullVote = Schemas["DossierVote"];
export type QueueItem = Schemas["QueueItem"];
export type Queue = Schemas["Queue"];
export type DecisionDraft = Schemas["DecideRequest"];
export type DecisionCategory = Schemas["CategoryEnum"];
export type WaitingReason = Schemas["ReasonEnum"];
export type Decision = Schemas["Decision"];
export type QueueDetail = Schemas["Dossier"];

/* ---------- gold, agreement ---------- */

export type GoldChange = Schemas["GoldChange"];
export type GoldLedger = Schemas["Ledger"];
export type MissingVotes = Schemas["MissingVotesEnum"];
export type AgreementReport = Schemas["Agreement"];

/* ---------- judges, leaderboard, overview ---------- */

export type JudgeOption = Schemas["JudgeOption"];
export type Judge = Schemas["Judge"];
export type Run = Schemas["Run"];
export type Worker = Schemas["Worker"];
export type LeaderboardColumn = Schemas["LeaderboardColumn"];
export type LeaderboardScore = Schemas["LeaderboardScore"];
export type LeaderboardRow = Schemas["LeaderboardRow"];
export type Leaderboard = Schemas["Leaderboard"];
export type JudgeBoardRow = Schemas["JudgeBoardRow"];
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
export type ExportFormat = Schemas["ExportFormat"];
export type Export = Schemas["Export"];

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
