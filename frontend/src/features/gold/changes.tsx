/** Changes of the gold list: each with its reason and its way back. */
import { useState } from "react";
import { keyOf, post } from "../../api/client";
import type { GoldChange } from "../../api/schema";
import { useProject } from "../../api/project";
import { Badge } from "../../components/badge";
import { Button } from "../../components/button";
import { ConfirmDialog } from "../../components/dialog";
import { Checkbox } from "../../components/form";
import { ProjectLink } from "../../components/project-link";
import { RelativeTime } from "../../components/relative-time";
import { labelName } from "../../domain/labels";
import styles from "./gold-page.module.css";

interface ChangesProps {
  readonly changes: readonly GoldChange[];
  /** Whether the question stands above them already. */
  readonly isOfQuestion?: boolean;
}

/** Leads can undo each. */
export function Changes({ changes, isOfQuestion = false }: ChangesProps) {
  const { slug, role } = useProject();
  const [undoing, setUndoing] = useState<GoldChange | null>(null);
  return (
    <>
      <ul>
        {changes.map((change) => (
          <ChangeRow
            key={change.id}
            change={change}
            isOfQuestion={isOfQuestion}
            onUndo={role === "lead" ? setUndoing : null}
          />
        ))}
      </ul>
      {undoing && <UndoDialog slug={slug} change={undoing} onClose={() => setUndoing(null)} />}
    </>
  );
}

interface ChangeRowProps {
  readonly change: GoldChange;
  readonly isOfQuestion: boolean;
  readonly onUndo: ((change: GoldChange) => void) | null;
}

function ChangeRow({ change, isOfQuestion, onUndo }: ChangeRowProps) {
  const isUndone = change.undone_at !== null;
  return (
    <li className={styles["change"]} data-undone={isUndone}>
      <span className={styles["sign"]} data-action={change.action} aria-hidden="true">
        {change.action === "added" ? "+" : "−"}
      </span>
      <div className={styles["words"]}>
        <p>
          <span className="visually-hidden">{change.action === "added" ? "Added: " : "Removed: "}</span>
          <span className={styles["text"]} dir="auto">
            {change.text}
          </span>
        </p>
        {!isOfQuestion && (
          <p className={styles["question"]}>
            <ProjectLink page="gold" search={{ question: change.question_id }}>
              <span dir="auto">{change.question}</span>
            </ProjectLink>
          </p>
        )}
        <p className="soft">
          {ruleWords(change)}
          {change.kind === "regex" && " This is a pattern that matches several spellings."}
          {change.reason && <span dir="auto"> “{change.reason}”</span>} <RelativeTime at={change.at} />
          {change.answer_id !== null && (
            <>
              {" · "}
              <ProjectLink page={`answers/${change.answer_id}`}>View answer history</ProjectLink>
            </>
          )}
        </p>
        {change.undone_at && (
          <p className="soft">
            <Badge>Undone</Badge> <span dir="auto">{change.undo_reason}</span>{" "}
            <RelativeTime at={change.undone_at} />
          </p>
        )}
      </div>
      {onUndo && !isUndone && (
        <Button
          size="small"
          variant="quiet"
          onClick={() => onUndo(change)}
          aria-label={`Undo: ${change.text}`}
        >
          Undo
        </Button>
      )}
    </li>
  );
}

const RULE_WORDS: Readonly<Record<string, string>> = {
  amend: "Changed by the decision on the answer.",
  unanimous: "All annotators agreed.",
  majority: "A majority of annotators agreed.",
  two_of_three: "Two of three annotators agreed.",
  only_rater: "The only annotator decided.",
  adjudicated: "Adjudicated.",
  imported: "Imported.",
  proposal: "A proposal was accepted.",
};

/** Who or what made the change; a rule's key is shown as words where we know no better ones. */
function ruleWords(change: Pick<GoldChange, "rule" | "by">): string {
  const words = RULE_WORDS[change.rule] ?? `${labelName(change.rule)}.`;
  if (!change.by) return words;
  if (change.rule === "amend") return `Changed by ${change.by}’s decision on the answer.`;
  return `${words} ${change.by} made this change.`;
}

interface UndoDialogProps {
  readonly slug: string;
  readonly change: GoldChange;
  readonly onClose: () => void;
}

function UndoDialog({ slug, change, onClose }: UndoDialogProps) {
  const [isWhole, setWhole] = useState(false);
  return (
    <ConfirmDialog
      title={
        change.action === "added"
          ? "Remove this answer from the gold list?"
          : "Restore this answer to the gold list?"
      }
      confirm="Undo change"
      reasonLabel="Reason"
      onConfirm={(reason) =>
        isWhole
          ? post("/api/projects/{slug}/gold/groups/{group}/undo", { slug, group: change.group }, { reason })
          : post("/api/projects/{slug}/gold/{change}/undo", { slug, change: change.id }, { reason })
      }
      stale={[keyOf("/api/projects/{slug}", { slug })]}
      onClose={onClose}
    >
      <p>
        <strong dir="auto">{change.text}</strong>
        <br />
        <span dir="auto">{change.question}</span>
      </p>
      <p>This changes scores that use amended gold answers. The decision on the answer does not change.</p>
      {change.group !== "" && (
        <Checkbox
          label="Undo all changes accepted together with this one"
          checked={isWhole}
          onChange={setWhole}
        />
      )}
    </ConfirmDialog>
  );
}
