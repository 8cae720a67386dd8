/** One sentence of the plan: what holds now, and the form that changes it, opened in its place. */
import { type QueryKey } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { fieldMessage } from "../../api/error";
import { Button } from "../../components/button";
import { Form, type Sending, Submit } from "../../components/form";
import { type Explanation, Word } from "../../components/tip";
import { useWrite } from "../../components/use-write";
import styles from "./work.module.css";

interface SentenceProps {
  /** What it is about, in a word or two. */
  readonly name: string;
  readonly explains?: Explanation | undefined;
  readonly words: ReactNode;
  /** What the button says; absent: that it changes the sentence. */
  readonly act?: string;
  readonly isOpen?: boolean;
  readonly onToggle?: () => void;
  /** In place of the button; null where there is nothing to press. */
  readonly link?: ReactNode;
  readonly children?: ReactNode;
}

export function Sentence(props: SentenceProps) {
  const { name, explains, words, act = "Change", isOpen = false, onToggle, link, children } = props;
  const button = useRef<HTMLDivElement>(null);
  const part = useRef<HTMLDivElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (isOpen) part.current?.querySelector<HTMLElement>(FIRST_FIELD)?.focus();
    else if (wasOpen.current) button.current?.querySelector("button")?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return (
    <li className={styles["sentence"]}>
      <h3 className={styles["about"]}>{explains ? <Word {...explains}>{name}</Word> : name}</h3>
      <div className={styles["words"]}>{words}</div>
      <div ref={button} className={styles["change"]}>
        {link === undefined ? (
          <Button size="small" aria-expanded={isOpen} onClick={onToggle}>
            {act} {act === "Change" && <span className="visually-hidden">{name}</span>}
          </Button>
        ) : (
          link
        )}
      </div>
      {isOpen && (
        <div ref={part} className={styles["part"]} role="group" aria-label={name}>
          {children}
        </div>
      )}
    </li>
  );
}

/** Of a group of radio buttons the chosen one. */
const FIRST_FIELD = "input:not([type=radio]), input[type=radio]:checked, select, textarea";

interface SentencePart<Draft, Changes> {
  readonly draft: Draft;
  readonly changes: Changes;
  readonly error: Error | null;
  /** Why the sentence's own field was refused. */
  readonly complaint: string | null;
  readonly onChange: (changes: Changes) => void;
}

interface ChangeableProps<Draft, Changes> {
  readonly name: string;
  readonly explains?: Explanation | undefined;
  readonly words: (draft: Draft) => string;
  readonly effect?: ((draft: Draft) => string) | undefined;
  /** The field that says why it was refused, by the server's name. */
  readonly field?: string | undefined;
  readonly draftOf: (changes: Changes) => Draft;
  readonly write: (changes: Changes) => Promise<unknown>;
  readonly keeps: QueryKey;
  readonly children: (part: SentencePart<Draft, Changes>) => ReactNode;
}

/** A sentence that is opened, changed and saved by itself; what is changed is kept until then. */
export function ChangeableSentence<Draft, Changes extends object>(props: ChangeableProps<Draft, Changes>) {
  const { name, explains, words, effect, field, draftOf, write, keeps, children } = props;
  const [changes, setChanges] = useState<Changes | null>(null);
  const saving = useWrite(write, {
    keeps,
    note: "Work plan saved. The change takes effect with the next sheet.",
    onDone: () => setChanges(null),
  });
  const now = words(draftOf({} as Changes));
  const draft = draftOf(changes ?? ({} as Changes));
  const complaint = field === undefined ? null : fieldMessage(saving.error, field);
  const toggle = () => {
    saving.reset();
    setChanges(changes ? null : ({} as Changes));
  };
  return (
    <Sentence name={name} explains={explains} words={now} isOpen={changes !== null} onToggle={toggle}>
      {changes && (
        <ChangeForm
          now={now}
          would={words(draft)}
          effect={effect?.(draft)}
          write={saving}
          isSaid={complaint !== null}
          onSave={() => saving.mutate(changes)}
          onCancel={toggle}
        >
          {children({
            draft,
            changes,
            error: saving.error,
            complaint,
            onChange: (more) => setChanges({ ...changes, ...more }),
          })}
        </ChangeForm>
      )}
    </Sentence>
  );
}

interface ChangeFormProps {
  /** The sentence as it is, and as it would be. */
  readonly now: string;
  readonly would: string;
  /** What comes of it. */
  readonly effect?: ReactNode;
  readonly write: Sending;
  readonly isSaid?: boolean;
  readonly onSave: () => void;
  readonly onCancel: () => void;
  readonly children: ReactNode;
}

function ChangeForm({ now, would, effect, write, isSaid, onSave, onCancel, children }: ChangeFormProps) {
  return (
    <Form onSubmit={onSave}>
      {children}
      <div className={styles["would"]} role="status">
        {would !== now && (
          <p>
            <span className="soft">New plan:</span> {would}
          </p>
        )}
        {effect && <p className="soft">{effect}</p>}
      </div>
      <div className="row">
        <Submit write={write} isSaid={isSaid ?? false} variant="primary">
          Save
        </Submit>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </Form>
  );
}
