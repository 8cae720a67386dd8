/** The shapes the server and the pages agree on, one name each. */

import type { components, paths } from "./schema";

type Schemas = components["schemas"];

/* ---------- session and accounts ---------- */

export type User = Schemas["User"];
export type Session = Schemas["Session"];
export type Credentials = Schemas["SignInRequest"];
export type Invitation = Schemas["InvitationByToken"];
export type InvitationAcceptance = Schemas["InvitationAcceptRequest"];
export type Membership = Schemas["Joined"];
export type PasswordChange = Schemas["PasswordChangeRequest"];

/* ---------- projects ---------- */

export type Role = Schemas["RoleEnum"];

/** A label by its key and name; a project's own labels also say what they are taken in only with. */
export type LabelSpec = Pick<Schemas["LabelChoice"], "key" | "name" | "credit">;
export type CheckSpec = Schemas["BlindCheck"];
export type Preset = Schemas["Preset"];
export type ProjectLine = Schemas["ProjectListItem"];
export type Project = Schemas["ProjectDetail"];
export type ProtocolVersion = Schemas["Protocol"];
export type ProtocolChange = Schemas["ProtocolChange"];
export type ProtocolStep = Schemas["ProtocolStep"];
export type Guidelines = Schemas["Guidelines"];
export type Reader = Schemas["Reader"];
export type ProjectDraft = Schemas["ProjectCreateRequest"];
export type Member = Schemas["Member"];
export type MemberChange = Schemas["PatchedMemberChangeRequest"];
export type SentInvitation = Schemas["Invitation"];

/* ---------- work ---------- */

export type WorkPlan = Schemas["WorkPlan"];
export type WorkPlanDraft = Schemas["WorkPlanSaveRequest"];
export type PlannedRater = Schemas["PlannedRater"];
export type Pilot = Schemas["Pilot"];
export type Pilots = Schemas["Pilots"];
export type PilotBegin = Schemas["PilotBeginRequest"];
export type PilotEnd = Schemas["PilotEndRequest"];
export type WorkEvent = Schemas["WorkEvent"];

/* ---------- import ---------- */

export type ImportCause = Schemas["ImportCause"];
export type ImportColumn = Schemas["ImportColumn"];
export type ImportProblem = Schemas["ImportProblem"];
export type ImportOption = Schemas["ImportOption"];
export type ImportFormat = Schemas["ImportFormat"];
export type ImportState = Import["state"];
export type Import = Schemas["Import"];
export type System = Schemas["System"];
export type SystemChange = Schemas["PatchedSystemChangeRequest"];
export type Sample = Schemas["Sample"];
export type SampleRequest = Schemas["SampleChangeRequest"];
export type Reuse = Schemas["Reuse"];
export type ReuseOffer = Schemas["ReuseOffer"];
export type ReusableAnswer = Schemas["ReusableAnswer"];

/* ---------- judging ---------- */

export type SheetAnswer = Schemas["BlindAnswer"];
export type SheetQuestion = Schemas["BlindQuestion"];
export type AnswerJudgment = Schemas["DraftAnswer"];
export type SheetDraft = Schemas["Draft"];
export type FlagKind = Schemas["FlagKindEnum"];
export type Sheet = Schemas["BlindSheet"];
export type Progress = Schemas["Progress"];
/** A reply that hands a sheet in says what that came to. */
export type Work = Schemas["Work"] & { outcome?: Outcome };
export type Outcome = Schemas["Outcome"];
export type Submission = Schemas["SubmitRequest"];

export type Skip = Schemas["SkipRequest"];

/* ---------- looking back ---------- */

export type PastPage = Schemas["PastPage"];
export type PastSheet = Schemas["PastSheet"];
export type PastAnswer = Schemas["PastAnswer"];
export type PastFilter = NonNullable<paths["/api/projects/{slug}/judged"]["get"]["parameters"]["query"]>;
export type HowDecided = Schemas["HowDecided"];
export type Said = Schemas["Said"];
export type JudgmentEdit = Schemas["EditRequest"];

/* ---------- adjudication ---------- */

export type AnonymousVote = Schemas["QueueVote"];
export type FullVote = Schemas["DossierVote"];
export type QueueItem = Schemas["QueueItem"];
export type Queue = Schemas["Queue"];
export type QueueChoice = Schemas["QueueChoice"];
export type QueueFilter = NonNullable<paths["/api/projects/{slug}/queue"]["get"]["parameters"]["query"]>;
export type GroupDecisionDraft = Schemas["DecideTogetherRequest"];
export type TakeBackDraft = Schemas["TakeBackRequest"];
export type SendBackDraft = Schemas["SendBackRequest"];
export type DecisionDraft = Schemas["DecideRequest"];
export type DecisionCategory = Schemas["CategoryEnum"];
export type CategorySpec = Schemas["Category"];
export type WaitingReason = Schemas["ReasonEnum"];
export type Decision = Schemas["Decision"];
export type QueueDetail = Schemas["Dossier"];

/* ---------- gold, agreement, raters ---------- */

export type GoldChange = Schemas["GoldChange"];
export type GoldCorrection = Schemas["GoldCorrectionRequest"];
export type QuestionCorrectionDraft = Schemas["CorrectionInputRequest"];
export type GoldLedger = Schemas["Ledger"];
export type MissingVotes = Schemas["MissingVotesEnum"];
export type LabelDecided = Schemas["LabelDecided"];
export type DecisionIntervals = Schemas["DecisionIntervals"];
export type AgreementReport = Schemas["Agreement"];
export type AgreementSlices = Schemas["Slices"];
export type AgreementSlice = Schemas["Slice"];
export type AgreementDimension = Schemas["AgreementDimensionEnum"];
export type LabelView = Schemas["LabelViewEnum"];
export type AgreementFigures = Schemas["AgreementFigures"];
export type PilotAgreement = Schemas["PilotAgreement"];
export type RaterFigure = Schemas["RaterFigure"];
export type RaterRow = Schemas["Rater"];
export type RaterDetail = Schemas["RaterDetail"];
export type RaterSign = Schemas["SignsEnum"];

/* ---------- judges, leaderboard, overview ---------- */

export type JudgeOption = Schemas["JudgeOption"];
export type Judge = Schemas["Judge"];
export type Run = Schemas["Run"];
export type RunChoice = Schemas["RunChoiceRequest"];
export type RunStart = Schemas["RunStartRequest"];
export type RunScopes = Schemas["RunScopes"];
export type RunEstimate = Schemas["RunEstimate"];
export type RunVerdict = Schemas["RunVerdict"];
export type RunVerdictPage = Schemas["RunVerdictPage"];
export type VerdictFilter = NonNullable<
  paths["/api/projects/{slug}/runs/{run_id}/verdicts"]["get"]["parameters"]["query"]
>;
export type Worker = Schemas["Worker"];
export type LeaderboardColumn = Schemas["LeaderboardColumn"];
export type LeaderboardScore = Schemas["LeaderboardScore"];
export type LeaderboardRow = Schemas["LeaderboardRow"];
export type Leaderboard = Schemas["Leaderboard"];
export type ByDataset = Schemas["ByDataset"];
export type DatasetRow = Schemas["DatasetRow"];
export type Amendments = Schemas["Amendments"];
export type SystemMove = Schemas["SystemMove"];
export type Beyond = Schemas["Beyond"];
export type BeyondExactMatch = Schemas["BeyondExactMatch"];
export type TurnedAnswer = Schemas["TurnedAnswer"];
export type ReferenceDraft = Schemas["ReferenceDraftRequest"];
export type ReferenceScore = Schemas["ReferenceScore"];
export type ReferencesRead = Schemas["ReferencesRead"];
export type FilterChoices = Schemas["FilterChoices"];
export type ColumnUncertainty = Schemas["ColumnUncertainty"];
export type ComparedPair = Schemas["ComparedPair"];
export type ComparedJudges = Schemas["ComparedJudges"];
export type SystemGain = Schemas["SystemGain"];
export type SystemsBoard = Schemas["SystemsBoard"];
export type SystemsIntervals = Schemas["SystemsIntervals"];
export type JudgedPart = Schemas["BoardRow"];
export type JudgedParts = Schemas["JudgedParts"];
export type PartBy = "system" | "answer_length" | "question_type" | "dataset" | "tag";
export type JudgeBoardRow = Schemas["JudgeBoardRow"];
export type JudgePair = Schemas["JudgePair"];
export type JudgePairs = Schemas["JudgePairs"];
export type JudgeStrategy = Schemas["Strategy"];
export type StrategyIntervals = Schemas["StrategyIntervals"];
export type ScoredJudge = Schemas["ScoredJudge"];
export type ThresholdIntervals = Schemas["ThresholdIntervals"];
export type Overview = Schemas["Overview"];

/* ---------- connections, prompts, pre-judging ---------- */

export type Connection = Schemas["Connection"];
export type ConnectionRequest = Schemas["ConnectionChangeRequest"];
export type Trial = Schemas["Trial"];
export type AllowedHosts = Schemas["AllowedHosts"];
export type Prompt = Schemas["Prompt"];
export type PromptDraft = Schemas["PromptDraftRequest"];
export type PromptPreview = Schemas["PromptPreview"];
export type Policy = Schemas["Policy"];
export type PolicyDraft = Schemas["PolicyInputRequest"];
export type PolicyPreview = Schemas["Preview"];
export type PolicyApplication = Schemas["PolicyApplication"];
export type Audit = Schemas["Audit"];
export type SettledAnswer = Schemas["SettledAnswer"];
export type SettledFilter = NonNullable<
  paths["/api/projects/{slug}/prejudging/answers"]["get"]["parameters"]["query"]
>;

/* ---------- failure modes ---------- */

export type FailureTag = Schemas["FailureTag"];
export type TagSet = Schemas["TagSet"];
export type TagSetDraft = Schemas["TagSetCreateRequest"];
export type RoundFilter = Schemas["RoundFilterRequest"];
export type FailureBoard = Schemas["FailureBoard"];
export type FailureBoardKind = FailureBoard["board"];
export type FailureBoardWanted = NonNullable<
  paths["/api/projects/{slug}/failure-board"]["get"]["parameters"]["query"]
>;
export type RoundDraft = Schemas["RoundCreateRequest"];
export type TaggableRun = Schemas["TaggableRun"];
export type TaggingOverview = Schemas["Tagging"];
export type TaggingRound = Schemas["TaggingRound"];
export type TaggingResults = Schemas["RoundResults"];
export type TaggingRoundDetail = Schemas["RoundDetail"];
export type RoundItem = Schemas["RoundItem"];
export type TaggedItem = Schemas["TaggedItem"];
export type TaggingDraft = Schemas["TagItemRequest"];

/* ---------- explorer, export ---------- */

export type AnswerFilter = NonNullable<paths["/api/projects/{slug}/answers"]["get"]["parameters"]["query"]>;
export type AnswerLine = Schemas["AnswerLine"];
export type VerdictLine = Schemas["AnswerVerdict"];
export type AnswerHistory = Schemas["AnswerHistory"];
export type AnswerPage = Schemas["AnswerPage"];
export type ExportFormat = Schemas["ExportFormat"];
export type Export = Schemas["Export"];

/* ---------- across projects ---------- */

export type Comparison = Schemas["Comparison"];
export type ComparedReference = Schemas["ComparedReference"];
export type Evaluator = Schemas["Evaluator"];
export type ComparedSystem = Schemas["ComparedSystem"];

/* ---------- known answers and training ---------- */

export type QualityPlan = Schemas["QualityPlan"];
export type QualityPlanDraft = Schemas["QualityPlanSaveRequest"];
export type Trainee = Schemas["Trainee"];
export type KnownAnswer = Schemas["KnownAnswer"];
export type KnownAnswerMark = Schemas["KnownAnswerMarkRequest"];
export type KnownAnswerDraw = Schemas["KnownAnswerDrawRequest"];
export type Training = Schemas["Training"];
export type TrainingAnswers = Schemas["TrainingAnswersRequest"];
export type TrainingFeedback = Schemas["TrainingFeedback"];
