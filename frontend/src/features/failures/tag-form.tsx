/** The tags of a round on keys, the mark "unattributable", a note, and on to the next item. */
import { useRef, useState } from "react";
import type { TaggedItem, TaggingRoundDetail } from "../../api/contract";
import { messageOf } from "../../api/error";
import { Button } from "../../components/button";
import { TextArea } from "../../components/form";
import { HelpSheet } from "../../components/help-sheet";
import { Notice } from "../../components/notice";
import { withChosenKeys } from "../../lib/key-settings";
import { useCommands } from "../../lib/use-commands";
import { taggingCommands } from "./commands";
import styles from "./failures.module.css";
import { Proposed } from "./proposed";
import { TagChoices } from "./tag-choices";
import { TagHistory } from "./tag-history";
import { useTagDraft } from "./use-tag-draft";
import type { TaggingWork } from "./use-tagging";

interface TagFormProps {
  readonly slug: string;
  readonly item: TaggedItem;
  readonly round: TaggingRoundDetail;
  readonly work: TaggingWork;
}

export function TagForm({ slug, item, round, work }: TagFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [helping, setHelping] = useState(false);
  const draft = useTagDraft(slug, item, round, work);
  const isAboutAnswers = item.answer !== null;
  const commands = withChosenKeys(
    taggingCommands(
      round.tags,
      {
        toggle: draft.toggle,
        toggleUnattributable: draft.toggleUnattributable,
        acceptProposal: draft.acceptProposal,
        writeNote: () => form.current?.querySelector("textarea")?.focus(),
        save: draft.save,
        undo: () => void work.undo(),
        move: work.move,
        help: () => setHelping(true),
      },
      {
        canSave: draft.canSave,
        canUndo: work.canUndo,
        isProposed: (item.proposal?.tags.length ?? 0) > 0,
        isAboutAnswers,
      },
    ),
  );
  useCommands(commands);
  if (!round.may_tag) return <NotNamed round={round} item={item} />;
  return (
    <form
      ref={form}
      className={styles["form"]}
      aria-label="Tags"
      onSubmit={(event) => {
        event.preventDefault();
        draft.save();
      }}
    >
      {item.proposal && <Proposed proposal={item.proposal} round={round} onAccept={draft.acceptProposal} />}
      <TagChoices round={round} draft={draft} isAboutAnswers={isAboutAnswers} />
      <TextArea
        label="Note"
        rows={2}
        value={draft.note}
        onChange={(event) => draft.setNote(event.target.value)}
      />
      {draft.error && <Notice tone="danger">{messageOf(draft.error)}</Notice>}
      <div className={styles["line"]}>
        <Button type="submit" variant="primary" hint="Enter" busy={draft.isSaving} disabled={!draft.canSave}>
          {item.current ? "Change and go on" : "Keep and go on"}
        </Button>
        <Button hint="u" disabled={!work.canUndo} onClick={() => void work.undo()}>
          Take back the last one
        </Button>
        <Button variant="quiet" hint="?" onClick={() => setHelping(true)}>
          Keys
        </Button>
      </div>
      <TagHistory item={item} round={round} />
      {helping && (
        <HelpSheet open commands={commands} onClose={() => setHelping(false)} onChange={() => undefined} />
      )}
    </form>
  );
}

type Shown = Pick<TagFormProps, "item" | "round">;

function NotNamed({ round, item }: Shown) {
  return (
    <>
      <Notice title={`${round.taggers.join(", ")} tag in this round`}>
        <p>You can read along. The lead can name you in a new round.</p>
      </Notice>
      <TagHistory item={item} round={round} />
    </>
  );
}
