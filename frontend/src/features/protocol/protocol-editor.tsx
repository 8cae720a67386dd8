/** Edits the protocol; says what a change would mean for work done before it is kept. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { keyOf, post, put } from "../../api/client";
import type { Preset, ProtocolVersion } from "../../api/contract";
import { ApiError, messageOf } from "../../api/error";
import { Button } from "../../components/button";
import { Form, FormError } from "../../components/form";
import { Section } from "../../components/page";
import { useToast } from "../../components/toast";
import { ChangeNotice } from "./change-notice";
import { CheckFields } from "./check-fields";
import { draftOf, type ProtocolDraft, specOf } from "./draft";
import { GoldFields } from "./gold-fields";
import { GuidelineFields } from "./guideline-fields";
import { LabelFields } from "./label-fields";
import styles from "./protocol.module.css";
import { RaterFields } from "./rater-fields";
import { RequirementFields } from "./requirement-fields";
import { SheetFields } from "./sheet-fields";
import { StartChoice } from "./start-choice";

interface ProtocolEditorProps {
  readonly slug: string;
  readonly version: ProtocolVersion;
  readonly presets: readonly Preset[];
}

function useChange({ slug, version }: ProtocolEditorProps) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const [draft, setDraft] = useState<ProtocolDraft>(() => draftOf(version.spec));
  const foresee = useMutation({
    mutationFn: () => post("/api/projects/{slug}/protocol/foresee", { slug }, { spec: specOf(draft) }),
  });
  const keep = useMutation({
    mutationFn: () =>
      put(
        "/api/projects/{slug}/protocol",
        { slug },
        { spec: specOf(draft), seen_hash: version.content_hash },
      ),
    onSuccess: async (kept) => {
      toast({ text: `Version ${kept.number} of the protocol is in force.` });
      await queryClient.invalidateQueries({ queryKey: keyOf("/api/projects/{slug}", { slug }) });
    },
  });
  const failure = keep.error ?? foresee.error;
  return {
    draft,
    foresee,
    keep,
    failure,
    error: failure instanceof ApiError ? failure : null,
    replace: (next: ProtocolDraft) => {
      setDraft(next);
      foresee.reset();
      keep.reset();
    },
  };
}

export function ProtocolEditor(props: ProtocolEditorProps) {
  const { draft, error, failure, foresee, keep, replace } = useChange(props);
  const change = (part: Partial<ProtocolDraft>) => replace({ ...draft, ...part });
  const common = { draft, error, change };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    foresee.mutate();
  };
  return (
    <Form onSubmit={submit}>
      <StartChoice presets={props.presets} version={props.version} onChoose={replace} />
      <Section title="Labels">
        <LabelFields labels={draft.labels} error={error} change={change} />
      </Section>
      <Section title="Raters and decision">
        <div className={styles["limit"]}>
          <RaterFields {...common} />
        </div>
      </Section>
      <Section title="Asked about the question">
        <CheckFields {...common} />
      </Section>
      <Section title="Gold answers">
        <GoldFields {...common} />
      </Section>
      <Section title="Evidence and comments">
        <RequirementFields draft={draft} change={change} />
      </Section>
      <Section title="Sheets">
        <SheetFields {...common} />
      </Section>
      <Section title="Guidelines">
        <GuidelineFields
          slug={props.slug}
          text={draft.guidelines}
          onChange={(guidelines) => change({ guidelines })}
        />
      </Section>
      <Section title="Put in force">
        {failure !== null && <FormError>{messageOf(failure)}</FormError>}
        {foresee.data ? (
          <ChangeNotice change={foresee.data} busy={keep.isPending} onKeep={() => keep.mutate()} />
        ) : (
          <p className={styles["soft"]}>
            First look at what the change means for work done; nothing is kept.
          </p>
        )}
        <div className={styles["actions"]}>
          <Button type="submit" busy={foresee.isPending}>
            Show what it means
          </Button>
        </div>
      </Section>
    </Form>
  );
}
