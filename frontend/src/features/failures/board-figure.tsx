/** The bars of a failure board, with what they are about under them. */
import { useNavigate } from "@tanstack/react-router";
import { useCallback } from "react";
import type { FailureBoard } from "../../api/schema";
import { useProject } from "../../api/project";
import { PlotFigure } from "../../components/plot-figure";
import { countOf } from "../../lib/numbers";
import { behindCell, isBySystem } from "./board-address";
import { type Bar, drawBoard, drawnRows } from "./board-chart";
import { sampleNote, wordsOf } from "./board-words";

type PlotLibrary = Parameters<typeof drawBoard>[0];

export function BoardFigure({ board }: { readonly board: FailureBoard }) {
  const navigate = useNavigate();
  const { slug, sees_systems: seesSystems } = useProject();
  const words = wordsOf(board.board);
  const draw = useCallback(
    (plot: PlotLibrary, width: number) => {
      const onChoose = ({ row, column }: Bar) => {
        if (!seesSystems && isBySystem(board, column)) return;
        void navigate({ to: `/${slug}/answers` as "/", search: behindCell(board, column, row) as never });
      };
      return drawBoard(plot, width, { board, words, onChoose });
    },
    [board, words, navigate, slug, seesSystems],
  );
  return (
    <PlotFigure
      title={words.row === "Tag" ? `${words.name}, by tag` : words.name}
      note={
        <>
          {words.axis}; thin lines are 95 % intervals over questions. {basisWords(board)} {sampleNote(board)}{" "}
          {drawnRows(board).length < board.rows.length && "What was never found stands in the table only. "}
          <span data-screen-only>
            A bar opens{" "}
            {board.board === "length" ? "the answers that the judge gets wrong" : "the answers behind it"}.
          </span>
        </>
      }
      label={`${words.name}: ${words.axis}. The table below has the same numbers.`}
      draw={draw}
      height={8}
    />
  );
}

/** What was tagged for it, and in how many rounds. */
function basisWords({ items, rounds, board, columns }: FailureBoard): string {
  const most = Math.max(0, ...columns.map(({ total }) => total));
  if (board === "length")
    return `Up to ${countOf(most, "answer")} a judge, each counted once for each system that gave it.`;
  return `${countOf(items, "item")} tagged in ${countOf(rounds, "round")}.`;
}
