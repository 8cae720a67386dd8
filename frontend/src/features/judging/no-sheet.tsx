/** What stands where the sheet would be: all done, or waiting for the connection. */
import { Link } from "@tanstack/react-router";
import { Button } from "../../components/button";
import { EmptyState } from "../../components/empty-state";
import { Skeleton } from "../../components/skeleton";
import type { Command } from "../../lib/commands";
import { countOf } from "../../lib/numbers";
import type { Desk } from "./desk";
import type { DeskState } from "./desk-state";
import { printedKey } from "./judging-commands";
import { NoticeLine } from "./notice-line";

interface NoSheetProps {
  readonly desk: Desk;
  readonly state: DeskState;
  readonly commands: readonly Command[];
}

export function NoSheet({ desk, state, commands }: NoSheetProps) {
  if (state.trouble) return <Stuck desk={desk} state={state} />;
  if (state.waiting > 0 || !state.nothingLeft) return <Skeleton lines={6} height={2} />;
  const undo = commands.find((command) => command.id === "undo");
  const judged = state.progress?.judged_questions ?? 0;
  return (
    <>
      <NoticeLine notice={state.notice} onClose={() => desk.dismissNotice()} />
      <EmptyState
        level={1}
        title={judged > 0 ? "Nothing left to judge" : "Nothing to judge yet"}
        action={
          <>
            <Button variant="primary" onClick={() => void desk.refill()}>
              Look again
            </Button>
            <Button hint={printedKey(commands, "undo")} disabled={!undo?.when?.()} onClick={undo?.run}>
              Undo last sheet
            </Button>
          </>
        }
      >
        {judged > 0 && (
          <p>
            {countOf(judged, "question")} with {countOf(state.progress?.judged_answers ?? 0, "answer")}:
            everything is saved. Thank you.
          </p>
        )}
        <p>
          More may come: answers on which two people disagree are shown to a third, and sheets that others
          leave open come back.
        </p>
      </EmptyState>
    </>
  );
}

function Stuck({ desk, state }: Pick<NoSheetProps, "desk" | "state">) {
  const signedOut = state.trouble?.kind === "signed_out";
  return (
    <EmptyState
      level={1}
      title={signedOut ? "You are signed out" : "Your work is kept here"}
      action={
        signedOut ? (
          <Link to="/sign-in" search={{ next: window.location.pathname }}>
            Sign in and go on
          </Link>
        ) : (
          <Button variant="primary" onClick={() => void desk.open()}>
            Try now
          </Button>
        )
      }
    >
      <p>{state.trouble?.message}</p>
      {state.waiting > 0 && (
        <p>
          {countOf(state.waiting, "sheet")} {state.waiting === 1 ? "waits" : "wait"} in this browser, to be
          sent by itself, once, as soon as that works. You may close the page and come back here.
        </p>
      )}
    </EmptyState>
  );
}
