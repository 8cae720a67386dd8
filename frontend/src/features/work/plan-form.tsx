/** Who judges what, how much at most, and what goes first. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { put, read } from "../../api/client";
import type { WorkPlan } from "../../api/contract";
import { ApiError, messageOf } from "../../api/error";
import { Button } from "../../components/button";
import { Select, TextArea } from "../../components/field";
import { Fields, Form, FormError } from "../../components/form";
import { Section } from "../../components/page";
import { ProjectButtonLink } from "../../components/project-link";
import { SegmentedControl } from "../../components/segmented-control";
import { useToast } from "../../components/toast";
import { bodyOf, draftOf, NO_WISH, ORDERS, type PlanDraft, type RaterDraft, SHARINGS } from "./plan-draft";
import { RaterPlan } from "./rater-plan";
import styles from "./work.module.css";

interface PlanFormProps {
  readonly slug: string;
  readonly plan: WorkPlan;
}

function useSavePlan(slug: string) {
  const queryClient = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: (draft: PlanDraft) => put("/api/projects/{slug}/work", { slug }, bodyOf(draft)),
    onSuccess: (plan) => {
      queryClient.setQueryData(read("/api/projects/{slug}/work", { slug }).queryKey, plan);
      toast({ text: "The plan holds from the next sheet on." });
    },
  });
}

export function PlanForm({ slug, plan }: PlanFormProps) {
  const [draft, setDraft] = useState(() => draftOf(plan));
  const saving = useSavePlan(slug);
  const change = (part: Partial<PlanDraft>) => setDraft({ ...draft, ...part });
  const changeRater = (id: string, part: Partial<RaterDraft>) => {
    const rater = { ...(draft.raters[id] ?? NO_WISH), ...part };
    change({ raters: { ...draft.raters, [id]: rater } });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate(draft);
  };
  return (
    <Form onSubmit={submit}>
      <Section title="Who judges what">
        <div>
          <SegmentedControl
            label="Who judges"
            value={draft.sharing}
            options={SHARINGS}
            onChange={(sharing) => change({ sharing })}
          />
        </div>
        <p className={styles["soft"]}>{SHARINGS.find(({ value }) => value === draft.sharing)?.words}</p>
        {plan.raters.length === 0 ? (
          <NobodyYet />
        ) : (
          <RaterPlan raters={plan.raters} draft={draft} onChange={changeRater} />
        )}
      </Section>
      <Section title="In which order">
        <Order draft={draft} error={saving.error} onChange={change} />
      </Section>
      {saving.isError && <FormError>{messageOf(saving.error)}</FormError>}
      <div>
        <Button type="submit" variant="primary" busy={saving.isPending}>
          Save the plan
        </Button>
      </div>
    </Form>
  );
}

function NobodyYet() {
  return (
    <Fields>
      <p>Raters will be listed here, each with a part, a limit and how far they are.</p>
      <div>
        <ProjectButtonLink page="people" size="small">
          Invite annotators
        </ProjectButtonLink>
      </div>
    </Fields>
  );
}

interface OrderProps {
  readonly draft: PlanDraft;
  readonly error: Error | null;
  readonly onChange: (part: Partial<PlanDraft>) => void;
}

function Order({ draft, error, onChange }: OrderProps) {
  return (
    <div className={styles["order"]}>
      <Select
        label="Questions are begun"
        hint="What somebody has begun goes before what nobody has."
        value={draft.order}
        onChange={(event) => onChange({ order: event.target.value as PlanDraft["order"] })}
      >
        {ORDERS.map(({ value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </Select>
      <TextArea
        label="These go first (optional)"
        hint="One a line: the id of a question, a data set, or a tag."
        rows={4}
        value={draft.goesFirst}
        error={error instanceof ApiError ? error.fieldMessage("goes_first") : null}
        onChange={(event) => onChange({ goesFirst: event.target.value })}
      />
    </div>
  );
}
