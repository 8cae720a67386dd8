/** The protocol in plain words, its guidelines, and the whole of it as text for those who adapt it. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { ProtocolVersion } from "../../api/contract";
import { messageOf } from "../../api/error";
import { setProtocol } from "../../api/projects/set-protocol";
import { Button } from "../../components/button";
import { TextArea } from "../../components/field";
import { Notice } from "../../components/notice";
import { RelativeTime } from "../../components/relative-time";
import { useToast } from "../../components/toast";
import { factsOf } from "../../lib/protocol-words";
import styles from "./settings.module.css";
import { joinSpec, splitSpec } from "./spec-text";

interface ProtocolFormProps {
  readonly slug: string;
  readonly version: ProtocolVersion;
}

export function ProtocolForm({ slug, version }: ProtocolFormProps) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const stored = splitSpec(version.spec);
  const [guidelines, setGuidelines] = useState(stored.guidelines);
  const [rest, setRest] = useState(stored.rest);
  const change = useMutation({
    mutationFn: () => setProtocol(slug, joinSpec({ guidelines, rest })),
    onSuccess: async () => {
      toast({ text: "The protocol was changed." });
      await queryClient.invalidateQueries({ queryKey: ["project", slug] });
    },
  });
  const isChanged = guidelines !== stored.guidelines || rest !== stored.rest;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <form className={styles["form"]} onSubmit={submit}>
      <Facts version={version} />
      <TextArea
        label="Guidelines (Markdown)"
        hint="Raters have them beside their work under the key g."
        rows={14}
        value={guidelines}
        onChange={(event) => setGuidelines(event.target.value)}
      />
      <details className={styles["more"]}>
        <summary>Adapt labels, raters and checks</summary>
        <TextArea
          label="The rest of the protocol (JSON)"
          className={styles["code"] ?? ""}
          rows={24}
          spellCheck={false}
          value={rest}
          onChange={(event) => setRest(event.target.value)}
        />
      </details>
      {change.isError && <Notice tone="danger">{messageOf(change.error)}</Notice>}
      <div className={styles["actions"]}>
        <Button type="submit" busy={change.isPending} disabled={!isChanged}>
          Change the protocol
        </Button>
      </div>
    </form>
  );
}

function Facts({ version }: Pick<ProtocolFormProps, "version">) {
  return (
    <>
      <dl className={styles["facts"]}>
        {factsOf(version.spec).map((fact) => (
          <div key={fact.name} className={styles["fact"]}>
            <dt>{fact.name}</dt>
            <dd>{fact.words}</dd>
          </div>
        ))}
      </dl>
      <p className={styles["soft"]}>
        Version {version.number}
        {version.frozen_at === null ? (
          ", can still be changed freely."
        ) : (
          <>
            , in use since <RelativeTime at={version.frozen_at} />. A change makes a new version; votes keep
            the one they were given under.
          </>
        )}
      </p>
    </>
  );
}
