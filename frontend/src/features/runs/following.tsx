/** Whether a run judges new answers as they arrive: chosen at its start, and changed on its page. */
import { useState } from "react";
import { keyOf, patch } from "../../api/client";
import { fieldMessage } from "../../api/error";
import type { Run } from "../../api/schema";
import { Checkbox, Form, Submit, TextField } from "../../components/form";
import { useWrite } from "../../components/use-write";
import { t } from "../../lib/i18n/t";
import { hasSpendingLimit } from "./run-words";

interface FollowingChoiceProps {
  readonly isOpen: boolean;
  /** Whether calls may cost something. */
  readonly costs: boolean;
  readonly value: boolean;
  readonly onChange: (follows: boolean) => void;
}

/** The choice in the form of a new run, where there is one. */
export function FollowingChoice({ isOpen, costs, value, onChange }: FollowingChoiceProps) {
  if (!isOpen) return null;
  return (
    <Checkbox
      label={t("Judge new answers as they arrive")}
      hint={
        costs
          ? t("After each import, the run judges what is new, within its spending limit.")
          : t("After each import, the run judges what is new.")
      }
      checked={value}
      onChange={onChange}
    />
  );
}

/** The choice on the page of a run, or why there is none. */
export function FollowingSetting({ slug, run }: { readonly slug: string; readonly run: Run }) {
  const note = run.following_note;
  if (note === "recorded" || note === "tags") return null;
  if (note && note !== "cap") return <p className="soft">{noteWords(note)}</p>;
  return <FollowingForm key={`${run.follows} ${run.spend_cap}`} slug={slug} run={run} />;
}

function FollowingForm({ slug, run }: { readonly slug: string; readonly run: Run }) {
  const [follows, setFollows] = useState(run.follows || run.following_note === "cap");
  const [cap, setCap] = useState(run.spend_cap ?? "");
  // A run that is paused is given its limit when it is resumed.
  const hasLimit = hasSpendingLimit(run) && run.state !== "paused";
  const save = useWrite(
    () =>
      patch(
        "/api/projects/{slug}/runs/{run_id}",
        { slug, run_id: run.id },
        { follows, ...(hasLimit && { spend_cap: cap.trim() || null }) },
      ),
    { stale: [keyOf("/api/projects/{slug}/runs", { slug })] },
  );
  const complaint = fieldMessage(save.error, "spend_cap");
  const isChanged = follows !== run.follows || (hasLimit && cap.trim() !== (run.spend_cap ?? ""));
  return (
    <Form onSubmit={() => save.mutate()}>
      <Checkbox
        label={t("Judge new answers as they arrive")}
        hint={hintOf(run)}
        checked={follows}
        onChange={setFollows}
      />
      {hasLimit && (follows || run.spend_cap !== null) && (
        <TextField
          label={t("Spending limit of this run (USD)")}
          hint={t("The run pauses before it exceeds this limit.")}
          inputMode="decimal"
          error={complaint}
          value={cap}
          onChange={setCap}
        />
      )}
      {isChanged && (
        <Submit write={save} size="small" isSaid={Boolean(complaint) && hasLimit}>
          {t("Save")}
        </Submit>
      )}
    </Form>
  );
}

function hintOf(run: Run): string {
  if (run.following_note === "cap") {
    return t("New answers are not judged now: the connection has prices, and this run has no limit.");
  }
  if (!run.follows) {
    return t("After each import, the run judges what is new. Answers that are not judged yet come first.");
  }
  return run.state === "paused"
    ? t("This run is paused. New answers wait until you resume it.")
    : t("After each import, the run judges what is new.");
}

type Note = Exclude<NonNullable<Run["following_note"]>, "cap" | "recorded" | "tags">;

function noteWords(note: Note): string {
  switch (note) {
    case "always":
      return t("This judge costs nothing and always judges new answers as they arrive.");
    case "archived":
      return t("The connection is archived. To judge new answers, start the judge with another connection.");
    case "cancelled":
      return t("This run was stopped and judges no new answers. To continue it, start the judge again.");
    case "corpus":
      return t("New gold answers change this judge. To judge new answers, start it again.");
    case "decisions":
      return t("New decisions change this judge. To judge new answers, start it again.");
    case "members":
      return t("A jury judges new answers only when you start it again, after its members have judged them.");
    case "sample":
      return t("A run that is limited to a sample judges no new answers.");
  }
}
