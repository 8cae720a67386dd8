/** Sets a judge to work, with a form made from the judge's own description. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import type { Judge } from "../../api/contract";
import { ApiError, messageOf } from "../../api/error";
import { judgesQuery } from "../../api/runs/judges";
import { startRun } from "../../api/runs/start-run";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { Select } from "../../components/field";
import { Notice } from "../../components/notice";
import { QueryView } from "../../components/query-view";
import { useToast } from "../../components/toast";
import { defaultsOf, valuesOf } from "./option-values";
import { OptionField } from "./option-field";
import styles from "./start-run-dialog.module.css";

interface StartRunDialogProps {
  readonly slug: string;
  readonly onClose: () => void;
}

export function StartRunDialog({ slug, onClose }: StartRunDialogProps) {
  const query = useQuery(judgesQuery);
  return (
    <Dialog open title="Start a judge" onClose={onClose}>
      <QueryView query={query}>
        {(judges) => <StartForm slug={slug} judges={judges} onClose={onClose} />}
      </QueryView>
    </Dialog>
  );
}

interface StartFormProps extends StartRunDialogProps {
  readonly judges: readonly Judge[];
}

function StartForm({ slug, judges, onClose }: StartFormProps) {
  const id = useId();
  const queryClient = useQueryClient();
  const toast = useToast();
  const [key, setKey] = useState(judges.find(({ available }) => available)?.key ?? "");
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const judge = judges.find((candidate) => candidate.key === key);
  const start = useMutation({
    mutationFn: () => startRun(slug, { judge: key, options: judge ? valuesOf(judge, texts) : {} }),
    onSuccess: async (run) => {
      await queryClient.invalidateQueries({ queryKey: ["project", slug, "runs"] });
      toast({ text: run.state === "finished" ? `${run.name} is done.` : `${run.name} is at work.` });
      onClose();
    },
  });
  if (!judge) return <p>No judge is installed.</p>;
  const complaint = (name: string) =>
    start.error instanceof ApiError ? start.error.fieldMessage(name) : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start.mutate();
  };
  return (
    <form id={id} className={styles["form"]} onSubmit={submit}>
      <Select
        label="Judge"
        value={key}
        onChange={(event) => {
          setKey(event.target.value);
          setTexts({});
        }}
      >
        {judges.map((option) => (
          <option key={option.key} value={option.key} disabled={!option.available}>
            {option.available ? option.name : `${option.name} (needs “${option.extra ?? ""}”)`}
          </option>
        ))}
      </Select>
      <p className={styles["summary"]}>
        {judge.summary} {judge.source && <span className={styles["source"]}>{judge.source}</span>}
      </p>
      {judge.options.map((option) => (
        <OptionField
          key={`${key} ${option.name}`}
          option={option}
          value={texts[option.name] ?? defaultsOf(judge)[option.name] ?? ""}
          error={complaint(option.name)}
          onChange={(text) => setTexts((before) => ({ ...before, [option.name]: text }))}
        />
      ))}
      {start.isError && <Notice tone="danger">{messageOf(start.error)}</Notice>}
      <div className={styles["actions"]}>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" busy={start.isPending}>
          Start
        </Button>
      </div>
    </form>
  );
}
