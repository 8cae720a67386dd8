/** How good the systems are by every way of judging, and how far people change the picture. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read } from "../../api/client";
import type { Leaderboard } from "../../api/schema";
import { useProject } from "../../api/project";
import { Button } from "../../components/button";
import { Choice } from "../../components/form";
import { More } from "../../components/list";
import { Notice } from "../../components/notice";
import { Page, PageHeader, Section, useTitle } from "../../components/page";
import { ProjectButtonLink, ProjectLink } from "../../components/project-link";
import { EmptyState, QueryView, Skeleton } from "../../components/query-view";
import { SegmentedControl } from "../../components/segmented-control";
import { FewNotice } from "../../domain/few-notice";
import { INTERVAL_COVERS } from "../../domain/judged";
import {
  isBySize,
  type QuestionFilter as Filter,
  QuestionFilterFields,
  readFilter,
} from "../../domain/question-filter";
import { ReferenceScores } from "../../domain/reference-scores";
import { invitedWords } from "../../domain/annotators";
import { besideCertificates } from "../../domain/settled-notice";
import { AwaitingState } from "../../domain/first-step";
import { useSetup, VotesStep } from "../../domain/votes-awaited";
import { countOf, formatCount } from "../../lib/numbers";
import { type SearchState, useSearchState } from "../../lib/search-state";
import { BesideSection } from "./beside-section";
import { BoardControls } from "./board-controls";
import { BoardTable } from "./board-table";
import { CorrectedSection } from "./corrected-section";
import { DotSection } from "./dot-section";
import { DescribeSystems } from "./systems-form";
import { earlierLists, otherList } from "./gold-versions";
import { OpenPairs, OrderWords, PairComparison } from "./pairs";
import { PlanSection } from "./plan-section";
import { SlopeSection } from "./slope-section";
import styles from "./leaderboard-page.module.css";
import { isUndecided } from "./standings";
import { type Bounding, comparedKey, useBoard, useLeaderboard } from "./use-board";
import {
  besideWords,
  gainWords,
  headline,
  isCorrected,
  onlyJudgedWords,
  promiseWords,
  smallestWords,
} from "./words";

/** Before the first decision, no question is a judged one. */
const scopes = (isUndecided: boolean) =>
  [
    { value: "sample", name: isUndecided ? "Questions to judge" : "Judged questions" },
    { value: "entire", name: "All questions" },
    { value: "both", name: "Side by side" },
  ] as const;

const BOTH = "both";

export function LeaderboardPage() {
  const project = useProject();
  useTitle("Leaderboard", project.name);
  const search = useSearchState();
  const filter = readFilter(search);
  const isBeside = search.read("scope") === BOTH;
  const gold = search.read("gold");
  const asked = gold ? { ...filter, gold } : filter;
  const { points, board, bounded } = useLeaderboard(asked, comparedKey(search)[0]);
  return (
    <Page>
      <PageHeader
        title="Leaderboard"
        lead={board && board.rows.length > 0 && <Lead board={board} filter={filter} isBeside={isBeside} />}
        actions={<ScopeChoice search={search} board={board} />}
      />
      <StillRunning />
      <QueryView query={points} loading={<Skeleton lines={12} height={2} />}>
        {(found) => (
          <>
            <QuestionFilterFields search={search} besides={gold ? 1 : 0}>
              <GoldVersion search={search} />
            </QuestionFilterFields>
            {found.rows.length > 0 ? (
              <Board board={board ?? found} filter={filter} bounding={bounded} isBeside={isBeside} />
            ) : isNarrowed(filter) ? (
              <NothingChosen search={search} />
            ) : (
              <NoSystems />
            )}
          </>
        )}
      </QueryView>
    </Page>
  );
}

/** Exact match with the list as it was is one column more; where nothing changed there is nothing to choose. */
function GoldVersion({ search }: { readonly search: SearchState }) {
  const { slug } = useProject();
  const { data: days = [] } = useQuery(read("/api/projects/{slug}/gold/days", { slug }));
  const chosen = search.read("gold");
  if (days.length === 0 && !chosen) return null;
  const known = earlierLists(days);
  const isOther = chosen && !known.some(({ value }) => value === chosen);
  return (
    <Choice
      label="Earlier gold list"
      value={chosen}
      options={isOther ? [...known, { value: chosen, name: otherList(chosen) }] : known}
      onChange={(value) => search.write({ gold: value || undefined })}
      empty="None"
    />
  );
}

interface LeadProps {
  readonly board: Leaderboard;
  readonly filter: Filter;
  readonly isBeside: boolean;
}

function Lead({ board, filter, isBeside }: LeadProps) {
  const promise = promiseWords(board);
  return (
    <>
      <span className={styles["answer"]}>
        {leadWords(board, filter, isBeside)} {isUndecided(board) && <NextForVotes />}
      </span>
      {promise && (
        <More summary="What these scores guarantee">
          {promise} <CertificateWords />
        </More>
      )}
    </>
  );
}

/** Whether the audit that corrects these scores contradicts a certificate; nothing for those who may not see it. */
function CertificateWords() {
  const { slug, role } = useProject();
  const audit = useQuery({
    ...read("/api/projects/{slug}/prejudging/audit", { slug }),
    enabled: role === "lead" || role === "viewer",
  });
  return audit.data && besideCertificates(audit.data).join(" ");
}

/** Scores of judges at work are of the answers they have judged so far. */
function StillRunning() {
  const { slug } = useProject();
  const busy = useSetup()?.judges_at_work ?? 0;
  const runs = useQuery({ ...read("/api/projects/{slug}/runs", { slug }), enabled: busy > 0 }).data ?? [];
  if (busy === 0) return null;
  const atWork = runs.filter(({ state }) => state === "queued" || state === "running");
  return (
    <Notice
      tone="info"
      title={`${countOf(busy, "automatic judge is", "automatic judges are")} still running, so ${busy === 1 ? "its" : "their"} scores are incomplete.`}
    >
      {atWork.map(({ id, name, done, total }) => (
        <p key={id}>{`${name}: ${formatCount(done)} of ${countOf(total, "answer")} judged`}</p>
      ))}
    </Notice>
  );
}

function NextForVotes() {
  const setup = useSetup();
  return (
    <>
      {setup && invitedWords(setup)} <VotesStep as={ProjectLink} />
    </>
  );
}

function leadWords(board: Leaderboard, filter: Filter, isBeside: boolean): string {
  if (isBeside) return besideWords(board);
  return isBySize(filter) ? smallestWords(board) : headline(board);
}

/** Where people judge every question there is nothing to choose. */
function ScopeChoice({ search, board }: ScopeChoiceProps) {
  const { slug } = useProject();
  const { data: choices } = useQuery(read("/api/projects/{slug}/filters", { slug }));
  // The names stay while the board of another scope is read.
  const [isOpen, setOpen] = useState<boolean | null>(null);
  if (board && isUndecided(board) !== isOpen) setOpen(isUndecided(board));
  if (isOpen === null) return null;
  const options = scopes(isOpen);
  const chosen =
    options.find(({ value }) => value === search.read("scope"))?.value ?? board?.scope ?? "sample";
  if (!choices?.has_rest && chosen === "sample") return null;
  return (
    <SegmentedControl
      label="Questions"
      value={chosen}
      options={options}
      onChange={(next) => search.write({ scope: next })}
    />
  );
}

interface ScopeChoiceProps {
  readonly search: SearchState;
  /** Over the questions that the address names, or else those that the server finds best. */
  readonly board: Leaderboard | undefined;
}

function isNarrowed({ part, dataset, tag, ...limits }: Filter): boolean {
  const hasLimit = limits.largest_bytes !== undefined || limits.least_share !== undefined;
  return part !== "all" || dataset !== "" || tag !== "" || hasLimit;
}

function NothingChosen({ search }: { readonly search: SearchState }) {
  const everything = { questions: undefined, dataset: undefined, tag: undefined, track: undefined };
  return (
    <EmptyState
      title="No system has answers to these questions"
      action={<Button onClick={() => search.write(everything)}>Show all questions</Button>}
    >
      <p>Change the filters above.</p>
    </EmptyState>
  );
}

function NoSystems() {
  return (
    <AwaitingState
      title="System scores appear here"
      action={
        <ProjectButtonLink page="import" variant="primary">
          Import system answers
        </ProjectButtonLink>
      }
    >
      <p>
        Each row is a system, and each column is a way of judging. Exact-match scores appear immediately.
        Other scores appear as judges run and people decide.
      </p>
    </AwaitingState>
  );
}

/** Systems that answered only what people judge have no place among all questions, and are missed here. */
function OnlyJudged({ board: { rows } }: { readonly board: Leaderboard }) {
  const { slug } = useProject();
  const search = useSearchState();
  const { data: systems = [] } = useQuery(read("/api/projects/{slug}/systems", { slug }));
  const missing = systems.filter(
    ({ name, prediction_count: n }) => n > 0 && !rows.some(({ system }) => system === name),
  );
  if (missing.length === 0) return null;
  return (
    <Notice
      tone="info"
      actions={
        <Button size="small" onClick={() => search.write({ scope: "sample" })}>
          Show all systems
        </Button>
      }
    >
      <p>{onlyJudgedWords(missing.map(({ label }) => label))}</p>
    </Notice>
  );
}

function Gains({ words }: { readonly words: string }) {
  return words && <p>{words}</p>;
}

interface BoardProps {
  readonly board: Leaderboard;
  readonly filter: Filter;
  readonly bounding: Bounding;
  readonly isBeside: boolean;
}

function Board({ board, filter, bounding, isBeside }: BoardProps) {
  const view = useBoard(board, filter, bounding);
  if (isBeside) return <BesideSection sample={board} filter={filter} />;
  return (
    <>
      <FewNotice count={board.n_questions} thing="question" figures="Each score, rank, and interval" />
      <Section title="Systems">
        {board.scope === "entire" && !isNarrowed(filter) && <OnlyJudged board={board} />}
        <DotSection board={board} view={view} />
        <OrderWords board={board} column={view.main} filter={filter} />
        {isCorrected(board) && <p className="soft">{INTERVAL_COVERS}</p>}
        <BoardControls board={board} view={view} />
        <PairComparison board={board} view={view} filter={filter} />
        <BoardTable board={board} view={view} />
        <DescribeSystems />
        <OpenPairs board={board} column={view.main} filter={filter} />
      </Section>
      <CorrectedSection filter={filter} />
      {!isUndecided(board) && (
        <>
          <PlanSection />
          <Section title="Changes from exact match to people’s decisions">
            <Gains words={gainWords(board, view.baseline, view.human)} />
            <SlopeSection board={board} view={view} filter={filter} />
          </Section>
        </>
      )}
      <ReferenceScores subject="system" measures={board.columns} />
    </>
  );
}
