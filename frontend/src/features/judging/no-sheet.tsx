/** What stands where the sheet would be: all done, or waiting for the connection. */
import { Link } from "@tanstack/react-router";
import { messageOf } from "../../api/error";
import { Button } from "../../components/button";
import { EmptyState } from "../../components/empty-state";
import { Skeleton } from "../../components/skeleton";
import type { Command } from "../../lib/commands";
import { plural, t } from "../../lib/i18n/t";
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
  if (state.inPilot) return <PilotDone desk={desk} state={state} commands={commands} />;
  const judged = state.progress?.judged_questions ?? 0;
  return (
    <>
      <NoticeLine notice={state.notice} onClose={() => desk.dismissNotice()} />
      <EmptyState
        level={1}
        title={judged > 0 ? t("Nothing left to judge") : t("Nothing to judge yet")}
        action={<Acts desk={desk} commands={commands} />}
      >
        {judged > 0 && (
          <p>
            {t("{questions} with {answers}: everything is saved. Thank you.", {
              questions: plural(judged, "{count} question", "{count} questions"),
              answers: plural(state.progress?.judged_answers ?? 0, "{count} answer", "{count} answers"),
            })}
          </p>
        )}
        <p>{t("More may come: answers that need one more opinion, and sheets that others leave open.")}</p>
      </EmptyState>
    </>
  );
}

function PilotDone({ desk, state, commands }: NoSheetProps) {
  return (
    <>
      <NoticeLine notice={state.notice} onClose={() => desk.dismissNotice()} />
      <EmptyState
        level={1}
        title={t("Nothing left in the pilot")}
        action={<Acts desk={desk} commands={commands} />}
      >
        <p>
          {t(
            "Everybody judges the same questions first. The lead now looks at how far you agree; the work begins when the pilot is ended.",
          )}
        </p>
      </EmptyState>
    </>
  );
}

function Acts({ desk, commands }: Pick<NoSheetProps, "desk" | "commands">) {
  const undo = commands.find((command) => command.id === "undo");
  return (
    <>
      <Button variant="primary" onClick={() => void desk.refill()}>
        {t("Look again")}
      </Button>
      <Button hint={printedKey(commands, "undo")} disabled={!undo?.when?.()} onClick={undo?.run}>
        {t("Undo last sheet")}
      </Button>
    </>
  );
}

function Stuck({ desk, state }: Pick<NoSheetProps, "desk" | "state">) {
  const signedOut = state.trouble?.kind === "signed_out";
  return (
    <EmptyState
      level={1}
      title={signedOut ? t("You are signed out") : t("Your work is kept here")}
      action={
        signedOut ? (
          <Link to="/sign-in" search={{ next: window.location.pathname }}>
            {t("Sign in and go on")}
          </Link>
        ) : (
          <Button variant="primary" onClick={() => void desk.open()}>
            {t("Try now")}
          </Button>
        )
      }
    >
      <p>{state.trouble && messageOf(state.trouble)}</p>
      {state.waiting > 0 && (
        <p>
          {plural(
            state.waiting,
            "{count} sheet waits in this browser, to be sent by itself, once, as soon as that works. You may close the page and come back here.",
            "{count} sheets wait in this browser, to be sent by themselves, once, as soon as that works. You may close the page and come back here.",
          )}
        </p>
      )}
    </EmptyState>
  );
}
