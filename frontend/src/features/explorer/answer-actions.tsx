/** What can be done with the answers that are selected: one request each, for all of them or none. */
import { useState } from "react";
import { keyOf, post } from "../../api/client";
import type { AnswerLine, TakenBack } from "../../api/schema";
import { useProject } from "../../api/project";
import { Button } from "../../components/button";
import { FormDialog } from "../../components/dialog";
import { Choice, TextArea } from "../../components/form";
import { Term } from "../../components/term";
import { useWrite } from "../../components/use-write";
import { USES } from "../../domain/known-mark-dialog";
import { labelName } from "../../domain/labels";
import { countOf, formatCount } from "../../lib/numbers";
import type { SearchState } from "../../lib/search-state";
import styles from "./explorer.module.css";
import { ExportAnswers } from "./export-dialog";
import type { Selection } from "./selection";
import { TagDialog } from "./tag-dialog";

type Action = "decide" | "send-back" | "known" | "tag";

/** What was done last; with a group it can be undone. */
interface Done {
  readonly words: string;
  readonly group?: string;
}

interface AnswerActionsProps {
  readonly selection: Selection;
  /** How many answers the table shows on all its pages. */
  readonly count: number;
  readonly search: SearchState;
}

export function AnswerActions({ selection, count, search }: AnswerActionsProps) {
  const project = useProject();
  const [action, setAction] = useState<Action | null>(null);
  const [done, setDone] = useState<Done | null>(null);
  const exporting = <ExportAnswers {...{ selection, count, search }} />;
  if (project.state === "archived") return <div className={styles["actions"]}>{exporting}</div>;
  const finish = (what: Done) => {
    setDone(what);
    setAction(null);
    selection.clear();
  };
  const props = { lines: selection.lines, onDone: finish, onClose: () => setAction(null) };
  const isMany = selection.lines.length > MOST_AT_ONCE;
  return (
    <div className={styles["actions"]} role="group" aria-label="Selected answers">
      <span role="status">
        {selection.lines.length > 0 ? `${formatCount(selection.lines.length)} selected` : done?.words}
        {isMany && `; the maximum is ${MOST_AT_ONCE}`}
      </span>
      {selection.lines.length === 0 && done === null && (
        <span className="soft">
          Select answers so that you can decide, send back, tag, or export them together.
        </span>
      )}
      {selection.lines.length > 0 && (
        <>
          <Button size="small" disabled={isMany} onClick={() => setAction("decide")}>
            Decide selected
          </Button>
          <Button size="small" disabled={isMany} onClick={() => setAction("send-back")}>
            Send back to annotators
          </Button>
          {project.role === "lead" && (
            <>
              <Button size="small" disabled={isMany} onClick={() => setAction("known")}>
                Use as known answers
              </Button>
              <Button size="small" disabled={isMany} onClick={() => setAction("tag")}>
                Tag
              </Button>
            </>
          )}
          {exporting}
          <Button size="small" variant="quiet" onClick={selection.clear}>
            Clear selection
          </Button>
        </>
      )}
      {selection.lines.length === 0 && done?.group !== undefined && (
        <Undo group={done.group} onDone={(words) => setDone({ words })} />
      )}
      {selection.lines.length === 0 && exporting}
      {action === "decide" && <DecideDialog {...props} />}
      {action === "send-back" && <SendBackDialog {...props} />}
      {action === "known" && <KnownDialog {...props} />}
      {action === "tag" && <TagDialog {...props} />}
    </div>
  );
}

/** As many as the server takes (`MOST_AT_ONCE` there; a test compares them). */
const MOST_AT_ONCE = 200;

interface ActionProps {
  readonly lines: readonly AnswerLine[];
  readonly onDone: (done: Done) => void;
  readonly onClose: () => void;
}

const seen = (lines: readonly AnswerLine[]) => lines.map(({ id, number }) => ({ id, seen_number: number }));

function DecideDialog({ lines, onDone, onClose }: ActionProps) {
  const { slug, labels } = useProject();
  const [label, setLabel] = useState("");
  const [reason, setReason] = useState("");
  const writing = useWrite(
    () =>
      post(
        "/api/projects/{slug}/queue/decide",
        { slug },
        { answers: seen(lines), label, reason: reason.trim() },
      ),
    {
      stale: [keyOf("/api/projects/{slug}", { slug })],
      onDone: ({ group }) =>
        onDone({ group, words: `${countOf(lines.length, "answer")} decided: ${labelName(label)}.` }),
    },
  );
  const count = countOf(lines.length, "answer");
  return (
    <FormDialog
      title={`Decide ${count}`}
      action={`Decide ${count}`}
      write={writing}
      isReady={label !== "" && reason.trim() !== ""}
      onSubmit={() => writing.mutate()}
      onClose={onClose}
    >
      <Choice
        data-autofocus
        label="Label for all answers"
        value={label}
        options={labels
          .filter(({ credit }) => credit !== "missing")
          .map(({ key, name }) => ({ value: key, name }))}
        onChange={setLabel}
        empty="Choose a label"
      />
      <TextArea label="Reason" rows={2} maxLength={2000} value={reason} onChange={setReason} />
      <Replaced lines={lines} />
    </FormDialog>
  );
}

/** What a decision for all of them would replace. */
function Replaced({ lines }: Pick<ActionProps, "lines">) {
  const decided = lines.filter(({ label }) => label !== null).length;
  if (decided === 0) return null;
  return <p>{countOf(decided, "decision")} will be replaced. The history keeps earlier decisions.</p>;
}

function SendBackDialog({ lines, onDone, onClose }: ActionProps) {
  const { slug } = useProject();
  const [reason, setReason] = useState("");
  const writing = useWrite(
    () =>
      post("/api/projects/{slug}/queue/send-back", { slug }, { answers: seen(lines), reason: reason.trim() }),
    {
      stale: [keyOf("/api/projects/{slug}", { slug })],
      onDone: ({ group }) =>
        onDone({ group, words: `${countOf(lines.length, "answer")} sent back to annotators.` }),
    },
  );
  return (
    <FormDialog
      title={`Send ${countOf(lines.length, "answer")} back to annotators`}
      action="Send back"
      cancel="Cancel"
      write={writing}
      isReady={reason.trim() !== ""}
      onSubmit={() => writing.mutate()}
      onClose={onClose}
    >
      <p>
        One more annotator judges each answer without being told why it was sent back. The majority of all
        votes then decides. Until then, the answers count as undecided.
      </p>
      <TextArea
        data-autofocus
        label="Reason"
        hint="Required. The history keeps the reason; annotators do not see it."
        rows={2}
        maxLength={2000}
        value={reason}
        onChange={setReason}
      />
    </FormDialog>
  );
}

function KnownDialog({ lines, onDone, onClose }: ActionProps) {
  const { slug } = useProject();
  const [use, setUse] = useState<(typeof USES)[number]["value"]>("hidden");
  const answers = lines.map(({ id }) => id);
  const writing = useWrite(
    () => post("/api/projects/{slug}/known-answers/several", { slug }, { answers, use }),
    {
      stale: [keyOf("/api/projects/{slug}", { slug })],
      onDone: ({ marked }) => onDone({ words: markedWords(marked, lines.length - marked) }),
    },
  );
  return (
    <FormDialog
      title={`Use ${countOf(lines.length, "answer")} as ${lines.length === 1 ? "a known answer" : "known answers"}`}
      action="Add known answers"
      cancel="Cancel"
      write={writing}
      onSubmit={() => writing.mutate()}
      onClose={onClose}
    >
      <p>
        Each answer’s decision becomes its known label. You can use only answers that people decided without a
        judge. Existing <Term name="known-answer">known answers</Term> do not change.
      </p>
      <p>
        In training, annotators see the reason for a decision only if “Annotators may read this” is selected
        for it.
      </p>
      <Choice data-autofocus label="Purpose" value={use} options={USES} onChange={setUse} />
    </FormDialog>
  );
}

function markedWords(marked: number, already: number): string {
  const others =
    already === 0
      ? ""
      : ` ${countOf(already, "answer was already a known answer", "answers were already known answers")}.`;
  return `${countOf(marked, "known answer")} added.${others}`;
}

/** What a rater has been given since it was sent back stays there. */
function undoneWords({ answers, begun }: TakenBack): string {
  if (begun.length === 0) return "Undone.";
  return `${countOf(answers.length, "answer")} recalled. ${countOf(begun.length, "answer")} could not be recalled because annotators have already started judging.`;
}

interface UndoProps {
  readonly group: string;
  readonly onDone: (words: string) => void;
}

function Undo({ group, onDone }: UndoProps) {
  const { slug } = useProject();
  const writing = useWrite(() => post("/api/projects/{slug}/queue/take-back", { slug }, { group }), {
    stale: [keyOf("/api/projects/{slug}", { slug })],
    refusal: "note",
    onDone: (taken) => onDone(undoneWords(taken)),
  });
  return (
    <Button size="small" busy={writing.isPending} onClick={() => writing.mutate()}>
      Undo
    </Button>
  );
}
