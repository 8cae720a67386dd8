/** Which of the questions people judge: all, those with votes, so many drawn, or those of a data set or tag. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { keyOf, post, read } from "../../api/client";
import type { Sample, SampleChangeRequest } from "../../api/schema";
import { Button } from "../../components/button";
import { Choice, Form, Refusal, TextField } from "../../components/form";
import { Section } from "../../components/page";
import { QueryView } from "../../components/query-view";
import { useWrite } from "../../components/use-write";
import { countOf, formatCount } from "../../lib/numbers";

const METHODS = [
  { value: "all", name: "All questions" },
  { value: "votes", name: "Questions with votes" },
  { value: "seed", name: "Random sample" },
  { value: "filter", name: "By data set or tag" },
] as const;

type Method = (typeof METHODS)[number]["value"];

export function SampleSection({ slug }: { readonly slug: string }) {
  const query = useQuery(read("/api/projects/{slug}/sample", { slug }));
  return (
    <Section title="Questions that people judge">
      <QueryView query={query}>{(sample) => <SampleForm slug={slug} sample={sample} />}</QueryView>
    </Section>
  );
}

function SampleForm({ slug, sample }: { readonly slug: string; readonly sample: Sample }) {
  const [method, setMethod] = useState<Method>(
    METHODS.find(({ value }) => value === sample.method)?.value ?? "all",
  );
  const [size, setSize] = useState("100");
  const [seed, setSeed] = useState("1");
  const [dataset, setDataset] = useState("");
  const [tag, setTag] = useState("");
  const draw = useDraw(slug);
  const submit = () => {
    if (method === "seed") draw.mutate({ method, size: Number(size), seed: Number(seed) });
    else if (method === "filter") draw.mutate({ method, dataset: dataset.trim(), tag: tag.trim() });
    else draw.mutate({ method });
  };
  return (
    <Form onSubmit={submit}>
      <p>
        People judge {formatCount(sample.sampled)} of {countOf(sample.questions, "question")}. Scores are
        given for these and for all.
      </p>
      <div className="row-at-end">
        <Choice label="Judge" value={method} options={METHODS} onChange={setMethod} />
        {method === "seed" && (
          <>
            <TextField label="How many" inputMode="numeric" value={size} onChange={setSize} />
            <TextField label="Seed" inputMode="numeric" value={seed} onChange={setSeed} />
          </>
        )}
        {method === "filter" && (
          <>
            <TextField label="Data set" value={dataset} onChange={setDataset} />
            <TextField label="Tag" value={tag} onChange={setTag} />
          </>
        )}
        <Button type="submit" busy={draw.isPending}>
          Apply
        </Button>
      </div>
      <Refusal error={draw.error} />
    </Form>
  );
}

export function useDraw(slug: string) {
  return useWrite((body: SampleChangeRequest) => post("/api/projects/{slug}/sample", { slug }, body), {
    note: (sample) => `People now judge ${countOf(sample.sampled, "question")}.`,
    stale: [keyOf("/api/projects/{slug}", { slug })],
  });
}
