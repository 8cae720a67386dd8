/** Decides one answer: a label, why, and on to the next. */
import { useRef, useState } from "react";
import type { QueueDetail } from "../../api/contract";
import { messageOf } from "../../api/error";
import { useProject } from "../../api/project";
import { Button } from "../../components/button";
import { Checkbox, TextArea } from "../../components/field";
import { LabelShape } from "../../components/label-mark";
import { More } from "../../components/more";
import { Notice } from "../../components/notice";
import { toneOfCredit } from "../../lib/labels";
import { useCommands } from "../../lib/use-commands";
import { decisionCommands } from "./commands";
import styles from "./dossier.module.css";
import { useDecision } from "./use-decision";
import { freeEnter } from "./use-kept-focus";
import type { LastDecision } from "./use-last-decision";
import type { QueueWork } from "./use-queue";
import { categoriesOf } from "./words";

interface DecisionFormProps {
  readonly slug: string;
  readonly detail: QueueDetail;
  readonly work: QueueWork;
  readonly last: LastDecision;
}

export function DecisionForm({ slug, detail, work, last }: DecisionFormProps) {
  const project = useProject();
  const form = useRef<HTMLFormElement>(null);
  const decision = useDecision(slug, detail, work, last);
  const [isRefused, setRefused] = useState(false);
  // "Cannot judge" is no decision.
  const labels = project.labels.filter(({ credit }) => credit !== "missing");
  const categories = categoriesOf(detail.categories);
  useCommands(
    decisionCommands({
      labels,
      categories,
      chooseLabel: (label) => {
        decision.setLabel(label);
        freeEnter(form.current);
      },
      chooseCategory: (category) => {
        decision.toggleCategory(category);
        freeEnter(form.current);
      },
      writeReason: () => form.current?.querySelector("textarea")?.focus(),
      canDecide: () => decision.label !== null,
      decide: () => (decision.isReady ? decision.send() : setRefused(true)),
    }),
  );
  return (
    <form
      ref={form}
      tabIndex={-1}
      className={styles["form"]}
      aria-label="Decision"
      onSubmit={(event) => {
        event.preventDefault();
        decision.send();
      }}
    >
      <div className={styles["choices"]} role="group" aria-label="The answer is">
        {labels.map((label, index) => (
          <Button
            key={label.key}
            hint={String(index + 1)}
            aria-pressed={decision.label === label.key}
            onClick={() => decision.setLabel(label.key)}
          >
            <LabelShape tone={toneOfCredit(label.credit)} />
            {label.name}
          </Button>
        ))}
      </div>
      <div className={styles["choices"]} role="group" aria-label="Why">
        {categories.map((category) => (
          <Button
            key={category.value}
            size="small"
            hint={category.key}
            aria-pressed={decision.category === category.value}
            title={detail.categories.find(({ key }) => key === category.value)?.meaning}
            onClick={() => decision.toggleCategory(category.value)}
          >
            {category.name}
          </Button>
        ))}
      </div>
      <More summary="When each word fits">
        <dl className={styles["meanings"]}>
          {categories.map(({ value, name }) => (
            <div key={value}>
              <dt>{name}</dt>
              <dd>{detail.categories.find(({ key }) => key === value)?.meaning}</dd>
            </div>
          ))}
        </dl>
      </More>
      <TextArea
        label="Why, in words (a word from the list above is enough)"
        rows={2}
        value={decision.reason}
        onChange={(event) => decision.setReason(event.target.value)}
      />
      <Checkbox
        label="Raters may read these words"
        hint="Only where the protocol lets them read decisions, and once all answers to the question are decided."
        checked={decision.isShown}
        onChange={(event) => decision.setShown(event.target.checked)}
      />
      {decision.error && <Notice tone="danger">{messageOf(decision.error)}</Notice>}
      <div className={styles["submit"]}>
        <Button
          type="submit"
          variant="primary"
          hint="Enter"
          busy={decision.isSending}
          disabled={!decision.isReady}
        >
          {detail.decision ? "Decide anew and go on" : "Decide and go on"}
        </Button>
        {!decision.isReady && (
          <span
            className={isRefused ? styles["refused"] : styles["soft"]}
            role={isRefused ? "alert" : undefined}
          >
            {decision.label === null ? "Choose a label." : "Say why: a word from the list, or your own."}
          </span>
        )}
      </div>
    </form>
  );
}
