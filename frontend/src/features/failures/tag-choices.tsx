/** The tags of a round under their groups, each on a key, with what it means. */
import type { ReactNode } from "react";
import type { FailureTag, TaggingRoundDetail } from "../../api/contract";
import { Button } from "../../components/button";
import { keyOfTag } from "./commands";
import styles from "./failures.module.css";
import type { TagDraft } from "./use-tag-draft";

interface TagChoicesProps {
  readonly round: TaggingRoundDetail;
  readonly draft: TagDraft;
  readonly isAboutAnswers: boolean;
}

export function TagChoices({ round, draft, isAboutAnswers }: TagChoicesProps) {
  const groups = [...new Set(round.tags.map(({ group }) => group ?? ""))];
  const chosen = round.tags.filter(({ key }) => draft.tags.includes(key));
  return (
    <>
      {groups.map((group) => (
        <Group key={group} name={group}>
          {round.tags.map((tag, place) =>
            (tag.group ?? "") === group ? (
              <Button
                key={tag.key}
                size="small"
                hint={keyOfTag(place)}
                title={tag.meaning}
                aria-pressed={draft.tags.includes(tag.key)}
                onClick={() => draft.toggle(tag.key)}
              >
                {tag.name}
              </Button>
            ) : null,
          )}
        </Group>
      ))}
      {isAboutAnswers && (
        <Group name="Beside the tags">
          <Button
            size="small"
            hint="x"
            aria-pressed={draft.isUnattributable}
            onClick={draft.toggleUnattributable}
          >
            Unattributable: nothing supports it
          </Button>
        </Group>
      )}
      <Meanings tags={chosen} several={round.several} />
    </>
  );
}

function Group({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className={styles["group"]} role="group" aria-label={name || "Tags"}>
      {name && (
        <span className={styles["groupName"]} aria-hidden="true">
          {name}
        </span>
      )}
      <div className={styles["choices"]}>{children}</div>
    </div>
  );
}

function Meanings({ tags, several }: { readonly tags: readonly FailureTag[]; readonly several: boolean }) {
  return (
    <div className={styles["meanings"]} aria-live="polite">
      {tags.length === 0 && (
        <p className={styles["soft"]}>{several ? "Choose one tag or several." : "Choose one tag."}</p>
      )}
      {tags.map((tag) => (
        <p key={tag.key} className={styles["soft"]}>
          <strong>{tag.name}.</strong> {tag.meaning} {tag.example && <em>{tag.example}</em>}
        </p>
      ))}
    </div>
  );
}
