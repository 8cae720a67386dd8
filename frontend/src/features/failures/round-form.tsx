/** The form of a new round, which says at once how many items it would draw from. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { keyOf, post } from "../../api/client";
import type { TaggingOverview, TagSet } from "../../api/contract";
import { messageOf } from "../../api/error";
import { Button } from "../../components/button";
import { FieldRow, Form, FormError, Select, TextField } from "../../components/form";
import { FilterFields } from "./filter-fields";
import { Population } from "./population";
import { ProposalFields } from "./proposal-fields";
import { requestOf, type RoundForm, usualFilter, wholeNumber } from "./round-draft";
import { TaggerFields } from "./tagger-fields";

interface RoundFormProps {
  readonly slug: string;
  readonly sets: readonly TagSet[];
  readonly overview: TaggingOverview;
}

function firstForm(sets: readonly TagSet[], { runs }: TaggingOverview): RoundForm {
  const set = sets[0];
  const filter = usualFilter(set, runs);
  return {
    name: "",
    set: set?.key ?? "",
    filter,
    size: "100",
    seed: "1",
    proposals: "none",
    connection: "",
    cap: "",
    taggers: [],
  };
}

export function RoundFormView({ slug, sets, overview }: RoundFormProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [form, setForm] = useState(() => firstForm(sets, overview));
  const change = (next: Partial<RoundForm>) => setForm((before) => ({ ...before, ...next }));
  const set = sets.find(({ key }) => key === form.set);
  const start = useMutation({
    mutationFn: () => post("/api/projects/{slug}/tagging", { slug }, requestOf(form)),
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: keyOf("/api/projects/{slug}/tagging", { slug }) });
      await navigate({ to: `/${slug}/failures/${id}` as "/" });
    },
  });
  const isSized = form.size.trim() === "" || (wholeNumber(form.size) ?? 0) > 0;
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        if (isSized) start.mutate();
      }}
    >
      <Select
        label="Tags"
        hint={set?.summary}
        value={form.set}
        onChange={(event) => {
          const chosen = sets.find(({ key }) => key === event.target.value);
          change({ set: event.target.value, filter: usualFilter(chosen, overview.runs) });
        }}
      >
        {sets.map(({ key, name }) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </Select>
      <FilterFields
        slug={slug}
        runs={overview.runs}
        filter={form.filter}
        onChange={(filter) => change({ filter: { ...form.filter, ...filter } })}
      />
      <Population slug={slug} set={form.set} filter={form.filter} />
      <FieldRow>
        <TextField
          label="How many"
          hint="Empty takes all."
          inputMode="numeric"
          value={form.size}
          error={isSized ? null : "A whole number, or nothing."}
          onChange={(event) => change({ size: event.target.value })}
        />
        <TextField
          label="Seed"
          hint="The same seed draws the same ones."
          inputMode="numeric"
          value={form.seed}
          onChange={(event) => change({ seed: event.target.value })}
        />
      </FieldRow>
      <ProposalFields slug={slug} form={form} onChange={change} />
      <TaggerFields
        taggers={overview.taggers}
        chosen={form.taggers}
        onChange={(taggers) => change({ taggers })}
      />
      <TextField
        label="Name"
        hint="Empty takes the name of the tags."
        maxLength={100}
        value={form.name}
        onChange={(event) => change({ name: event.target.value })}
      />
      {start.error && <FormError>{messageOf(start.error)}</FormError>}
      <div>
        <Button type="submit" variant="primary" busy={start.isPending} disabled={!isSized}>
          Draw the round
        </Button>
      </div>
    </Form>
  );
}
