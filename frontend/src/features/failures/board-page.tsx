/** What all rounds of tagging say together: one board at a time, as bars, as a table and as CSV. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { kept, read } from "../../api/client";
import { useProject } from "../../api/project";
import type { FailureBoard } from "../../api/schema";
import { Page, PageHeader, Section, useTitle } from "../../components/page";
import { PlotFigure } from "../../components/plot-figure";
import { ProjectButtonLink } from "../../components/project-link";
import { EmptyState, QueryView, Skeleton } from "../../components/query-view";
import { Term } from "../../components/term";
import { FewNotice } from "../../domain/few-notice";
import { AwaitingState } from "../../domain/first-step";
import { spokenWords } from "../../domain/judged";
import { countOf } from "../../lib/numbers";
import { useSearchState } from "../../lib/search-state";
import { type Bar, drawBoard, drawnRows } from "./board-chart";
import { behindCell, BoardChoices, isBySystem, wantedOf } from "./board-choices";
import { BoardTable } from "./board-table";
import { hasShares, headlineOf, sampleNote, wordsOf } from "./board-words";
import styles from "./failures.module.css";

export function BoardPage() {
  const project = useProject();
  const search = useSearchState();
  const wanted = wantedOf(search);
  const words = wordsOf(wanted.board);
  useTitle(words.name, project.name);
  // The last board stays in sight while the next is on its way.
  const query = useQuery(kept(read("/api/projects/{slug}/failure-board", { slug: project.slug }, wanted)));
  const board = query.data?.board === wanted.board ? query.data : undefined;
  return (
    <Page>
      <PageHeader
        title={<Term name="failure-board">Failure boards</Term>}
        lead={board && headlineOf(board)}
      />
      <BoardChoices kind={wanted.board} board={board} search={search} />
      <QueryView query={query} loading={<Skeleton lines={12} height={2} />}>
        {(found) => <Board board={found} isLead={project.role === "lead"} />}
      </QueryView>
    </Page>
  );
}

interface BoardProps {
  readonly board: FailureBoard;
  readonly isLead: boolean;
}

function Board({ board, isLead }: BoardProps) {
  const words = wordsOf(board.board);
  if (board.columns.length === 0) return <NothingToCompare board={board} />;
  const spoken = spokenWords(board);
  return (
    <Section title={words.name}>
      <p className={styles["about"]}>{words.about}</p>
      {spoken && <p className="soft">{spoken}</p>}
      <FewNotice
        count={Math.max(...board.columns.map(({ base }) => base))}
        thing={board.board === "credit" ? "question" : "answer"}
      />
      {hasShares(board) ? <BoardFigure board={board} /> : <NothingTagged board={board} isLead={isLead} />}
      <BoardTable board={board} />
    </Section>
  );
}

/** Without decided answers, or a judge that has spoken of them, no board has a column. */
function NothingToCompare({ board }: { readonly board: FailureBoard }) {
  const needsExactMatch = board.board === "repairs" && board.baseline === "";
  return (
    <AwaitingState
      then="Then people judge and decide."
      title="This board needs people’s decisions and judges’ verdicts"
      action={<ProjectButtonLink page="runs">View judges</ProjectButtonLink>}
    >
      <p>
        {needsExactMatch
          ? "Run exact match against the original gold answers, and run one other judge. This board then shows which of exact match’s misses the other judge accepts."
          : "Results appear here once a judge has judged answers that people have decided."}
      </p>
    </AwaitingState>
  );
}

function NothingTagged({ board, isLead }: BoardProps) {
  const words = wordsOf(board.board);
  if (words.next === "") return <p className="soft">No judge has judged these answers.</p>;
  if (board.columns.every(({ total }) => total === 0))
    return <p className="soft">No answer belongs on this board, so there is nothing to tag.</p>;
  return (
    <EmptyState
      title={
        board.items === 0
          ? "No items are tagged for this board yet"
          : "No tagged answer belongs on this board"
      }
      action={
        isLead && (
          <ProjectButtonLink page="failures/new" variant="primary">
            Create round
          </ProjectButtonLink>
        )
      }
    >
      <p>{words.next} The rates below do not depend on tags.</p>
    </EmptyState>
  );
}

export function BoardFigure({ board }: { readonly board: FailureBoard }) {
  const navigate = useNavigate();
  const { slug, sees_systems: seesSystems } = useProject();
  const words = wordsOf(board.board);
  const chart = useMemo(() => {
    const onChoose = ({ row, column }: Bar) => {
      if (!seesSystems && isBySystem(board, column)) return;
      void navigate({ to: `/${slug}/answers` as "/", search: behindCell(board, column, row) as never });
    };
    return { board, words, onChoose };
  }, [board, words, navigate, slug, seesSystems]);
  return (
    <PlotFigure
      title={words.row === "Tag" ? `${words.name}, by tag` : words.name}
      note={
        <>
          {words.axis}. {basisWords(board)} {sampleNote(board)}{" "}
          {drawnRows(board).length < board.rows.length &&
            "Rows without answers are hidden; a button below the table shows them. "}
          <span data-screen-only>
            Select a bar to see {board.board === "length" ? "the judge’s errors" : "the answers it counts"}.
          </span>
        </>
      }
      marks={[
        { shape: "box", color: "var(--chart-1)", look: "pale bar", name: "share" },
        { shape: "line", color: "var(--ink)", look: "thin line", name: "95% interval" },
      ]}
      label={`${words.name}: ${words.axis}. The table below has the same numbers.`}
      draw={drawBoard}
      of={chart}
      height={8}
    />
  );
}

/** What was tagged for it, and in how many rounds. */
function basisWords({ items, rounds, board, columns }: FailureBoard): string {
  const most = Math.max(0, ...columns.map(({ total }) => total));
  if (board === "length")
    return `Up to ${countOf(most, "answer")} per judge; an answer counts once for each system that gave it.`;
  return `${countOf(items, "item")} tagged in ${countOf(rounds, "round")}.`;
}
