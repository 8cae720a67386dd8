/** The rules in their order, the share drawn for raters, and what all that would do before it is done. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keyOf, post, put } from "../../api/client";
import type { Policy } from "../../api/contract";
import { messageOf } from "../../api/error";
import { Button } from "../../components/button";
import { EmptyState } from "../../components/empty-state";
import { TextField } from "../../components/field";
import { Notice } from "../../components/notice";
import { ProjectButtonLink } from "../../components/project-link";
import { useToast } from "../../components/toast";
import { isShare, requestOf, type RuleDraft, rulesOf } from "./draft";
import { PolicyPreview } from "./policy-preview";
import styles from "./prejudging.module.css";
import { RuleEditor } from "./rule-editor";
import { isSavedOnly } from "./words";

interface PolicyFormProps {
  readonly slug: string;
  readonly policy: Policy;
}

export function PolicyForm({ slug, policy }: PolicyFormProps) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const [rules, setRules] = useState<readonly RuleDraft[]>(() => rulesOf(policy));
  const [percent, setPercent] = useState(String(policy.audit_share * 100));
  const request = requestOf(rules, percent);
  const [isTried, setTried] = useState(false);
  const isUsable = rules.every(({ runs }) => runs.length > 0) && isShare(percent);
  const preview = useMutation({
    mutationFn: () => post("/api/projects/{slug}/prejudging/preview", { slug }, request),
  });
  const apply = useMutation({
    mutationFn: async () => {
      await put("/api/projects/{slug}/prejudging", { slug }, request);
      return post("/api/projects/{slug}/prejudging/apply", { slug });
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: keyOf("/api/projects/{slug}", { slug }) });
      toast({ text: "The policy is applied." });
    },
  });
  const change = (next: readonly RuleDraft[]) => {
    setRules(next);
    preview.reset();
    apply.reset();
  };
  if (policy.runs.length === 0) return <NoRuns />;
  const failure = preview.error ?? apply.error;
  return (
    <div className={styles["form"]}>
      <p className={styles["soft"]}>
        The first rule that fits settles an answer; the rest goes to raters. What people have begun to judge
        stays with them. Without a rule, people judge everything.
      </p>
      {isSavedOnly(policy) && (
        <Notice tone="info">
          These rules are saved but not in force. They settle nothing until you apply them.
        </Notice>
      )}
      <RuleEditor policy={policy} rules={rules} isTried={isTried} onChange={change} />
      <div className={styles["share"]}>
        <TextField
          label="Drawn for raters all the same (%)"
          hint="At random and unmarked, so that the errors of the rules are known."
          inputMode="decimal"
          value={percent}
          error={isTried && !isShare(percent) ? "A number from 0 to 100." : null}
          onChange={(event) => {
            setPercent(event.target.value);
            preview.reset();
          }}
        />
      </div>
      {preview.data && <PolicyPreview preview={preview.data} />}
      {failure && <Notice tone="danger">{messageOf(failure)}</Notice>}
      <div className={styles["actions"]}>
        <Button
          busy={preview.isPending}
          onClick={() => {
            setTried(true);
            if (isUsable) preview.mutate();
          }}
        >
          Show what it would do
        </Button>
        <Button
          variant="primary"
          busy={apply.isPending}
          disabled={preview.data === undefined}
          onClick={() => apply.mutate()}
        >
          Save and apply
        </Button>
      </div>
    </div>
  );
}

function NoRuns() {
  return (
    <EmptyState
      title="Rules read what judges said"
      action={<ProjectButtonLink page="runs/new">Start a judge</ProjectButtonLink>}
    >
      <p>Once a judge has judged the answers, a rule can let its verdict count without people.</p>
    </EmptyState>
  );
}
