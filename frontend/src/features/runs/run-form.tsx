/** A judge's own options as a form, with what it needs besides: a connection, members, a limit. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { keyOf, post } from "../../api/client";
import type { Judge } from "../../api/contract";
import { ApiError, messageOf } from "../../api/error";
import { Button } from "../../components/button";
import { CommandLine } from "../../components/command-line";
import { Notice } from "../../components/notice";
import { useSearchState } from "../../lib/search-state";
import { ConnectionChoice } from "./connection-choice";
import { Expected } from "./expected";
import { LimitFields } from "./limit-fields";
import { MemberChoice } from "./member-choice";
import styles from "./new-run.module.css";
import { JudgeOptions } from "./judge-options";
import { defaultsOf } from "./option-values";
import { PromptChoice } from "./prompt-choice";
import { ScopeFields } from "./scope-fields";
import { choiceOf, EMPTY, isReady, lackWords, startOf, takesLong, type RunDraft } from "./run-draft";

interface RunFormProps {
  readonly slug: string;
  readonly judge: Judge;
}

export function RunForm({ slug, judge }: RunFormProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const prompt = useSearchState().read("prompt");
  const [draft, setDraft] = useState<RunDraft>(prompt ? { ...EMPTY, texts: { prompt } } : EMPTY);
  const change = (changes: Partial<RunDraft>) => setDraft((before) => ({ ...before, ...changes }));
  const setOption = (name: string, text: string) =>
    setDraft((before) => ({ ...before, texts: { ...before.texts, [name]: text } }));
  const start = useMutation({
    mutationFn: () => post("/api/projects/{slug}/runs", { slug }, startOf(judge, draft)),
    onSuccess: async (run) => {
      await queryClient.invalidateQueries({ queryKey: keyOf("/api/projects/{slug}/runs", { slug }) });
      await navigate({ to: `/${slug}/runs/${run.id}` as "/" });
    },
  });
  const complaint = (name: string) =>
    start.error instanceof ApiError ? start.error.fieldMessage(name) : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start.mutate();
  };
  if (!judge.available) return <NotInstalled judge={judge} />;
  return (
    <form className={styles["form"]} onSubmit={submit}>
      <h2>{judge.name}</h2>
      <p>
        {judge.summary} {judge.source && <span className={styles["soft"]}>{judge.source}</span>}
      </p>
      {judge.needs === "connection" && (
        <>
          <ConnectionChoice
            slug={slug}
            value={draft.connection}
            onChange={(id) => change({ connection: id })}
          />
          <PromptChoice
            slug={slug}
            value={draft.texts["prompt"] ?? defaultsOf(judge)["prompt"] ?? ""}
            maxTokens={draft.texts["max_tokens"] ?? defaultsOf(judge)["max_tokens"] ?? ""}
            onChange={(prompt) => setOption("prompt", prompt)}
            onAllow={(tokens) => setOption("max_tokens", tokens)}
          />
        </>
      )}
      {judge.needs === "members" && (
        <MemberChoice
          slug={slug}
          value={draft.texts["members"] ?? ""}
          error={complaint("members")}
          onChange={(members) => setOption("members", members)}
        />
      )}
      <ScopeFields slug={slug} judge={judge} draft={draft} onChange={change} />
      {takesLong(judge) && <LimitFields judge={judge} draft={draft} onChange={change} />}
      <JudgeOptions judge={judge} texts={draft.texts} complaint={complaint} onChange={setOption} />
      {!isReady(judge, draft) && <p className={styles["soft"]}>{lackWords(judge)}</p>}
      {isReady(judge, draft) && <Expected slug={slug} choice={choiceOf(judge, draft)} />}
      {start.isError && <Notice tone="danger">{messageOf(start.error)}</Notice>}
      <div className={styles["actions"]}>
        <Button type="submit" variant="primary" busy={start.isPending} disabled={!isReady(judge, draft)}>
          {draft.sampleSize.trim() ? `Judge ${draft.sampleSize.trim()} answers first` : "Start"}
        </Button>
      </div>
    </form>
  );
}

function NotInstalled({ judge }: { readonly judge: Judge }) {
  return (
    <div className={styles["form"]}>
      <h2>{judge.name}</h2>
      <p>{judge.summary}</p>
      <Notice tone="warning" title="More must be installed for this judge">
        <p>Whoever runs this server does it with:</p>
        <CommandLine command={`make ${judge.extra ?? ""}`} />
      </Notice>
    </div>
  );
}
