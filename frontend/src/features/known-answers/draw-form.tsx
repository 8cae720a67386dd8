/** Makes decided answers known ones by lot: how many, by which seed, for what. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { keyOf, post } from "../../api/client";
import type { KnownAnswer } from "../../api/contract";
import { messageOf } from "../../api/error";
import { Button } from "../../components/button";
import { Checkbox, Select, TextField } from "../../components/field";
import { FieldRow } from "../../components/field-row";
import { Form, FormError } from "../../components/form";
import { useToast } from "../../components/toast";
import { countOf } from "../../lib/numbers";
import { USES } from "../../lib/known-uses";

interface Draft {
  readonly use: KnownAnswer["use"];
  readonly number: string;
  readonly seed: string;
  readonly onlyUnanimous: boolean;
}

function useDraw(slug: string) {
  const queryClient = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: (draft: Draft) =>
      post(
        "/api/projects/{slug}/known-answers/draw",
        { slug },
        {
          use: draft.use,
          number: Number(draft.number),
          seed: Number(draft.seed),
          only_unanimous: draft.onlyUnanimous,
        },
      ),
    onSuccess: async (drawn) => {
      await queryClient.invalidateQueries({ queryKey: keyOf("/api/projects/{slug}", { slug }) });
      toast({ text: `${countOf(drawn.length, "answer")} drawn.` });
    },
  });
}

export function DrawForm({ slug }: { readonly slug: string }) {
  const [draft, setDraft] = useState<Draft>({ use: "hidden", number: "20", seed: "1", onlyUnanimous: true });
  const drawing = useDraw(slug);
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    drawing.mutate(draft);
  };
  return (
    <Form onSubmit={submit}>
      <FieldRow columns={3}>
        <Select
          label="Use"
          value={draft.use}
          onChange={(event) => change({ use: event.target.value as Draft["use"] })}
        >
          {USES.map(({ value, name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </Select>
        <TextField
          label="How many"
          type="number"
          required
          min={1}
          max={1000}
          value={draft.number}
          onChange={(event) => change({ number: event.target.value })}
        />
        <TextField
          label="Seed"
          hint="The same seed draws the same."
          type="number"
          required
          min={0}
          value={draft.seed}
          onChange={(event) => change({ seed: event.target.value })}
        />
      </FieldRow>
      <Checkbox
        label="Only answers on which all raters agreed"
        hint="Otherwise any that people decided; what a judge settled is never drawn."
        checked={draft.onlyUnanimous}
        onChange={(event) => change({ onlyUnanimous: event.target.checked })}
      />
      {drawing.isError && <FormError>{messageOf(drawing.error)}</FormError>}
      <div>
        <Button type="submit" busy={drawing.isPending}>
          Draw
        </Button>
      </div>
    </Form>
  );
}
