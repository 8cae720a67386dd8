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
import { countOf, formatCount, formatPoints } from "../../lib/numbers";

const METHODS = [
  { value: "all", name: "All questions" },
  { value: "votes", name: "Questions with votes" },
  { value: "seed", name: "Random sample" },
  { value: "filter", name: "By data set or tag" },
] as const;

type Method = (typeof METHODS)[number]["value"];

/** Ways that this form cannot draw by, and where it is done instead. */
const DRAWN_ELSEWHERE = {
  strata: { value: "strata", name: "Planned sample" },
  questions: { value: "questions", name: "Named questions" },
} as const;

type Elsewhere = keyof typeof DRAWN_ELSEWHERE;

export function SampleSection({ slug }: { readonly slug: string }) {
  const query = useQuery(read("/api/projects/{slug}/sample", { slug }));
  return (
    <Section title="Questions that people judge">
      <QueryView query={query}>{(sample) => <SampleForm slug={slug} sample={sample} />}</QueryView>
    </Section>
  );
}

function isElsewhere(method: string): method is Elsewhere {
  return method in DRAWN_ELSEWHERE;
}

function SampleForm({ slug, sample }: { readonly slug: string; readonly sample: Sample }) {
  const elsewhere = isElsewhere(sample.method) ? sample.method : null;
  const [method, setMethod] = useState<Method | Elsewhere>(
    () => METHODS.find(({ value }) => value === sample.method)?.value ?? elsewhere ?? "all",
  );
  const [size, setSize] = useState(String(sample.options["size"] ?? 100));
  const [seed, setSeed] = useState(String(sample.options["seed"] ?? 1));
  const [dataset, setDataset] = useState("");
  const [tag, setTag] = useState("");
  const draw = useDraw(slug);
  const submit = () => {
    if (method === "seed") draw.mutate({ method, size: Number(size), seed: Number(seed) });
    else if (method === "filter") draw.mutate({ method, dataset: dataset.trim(), tag: tag.trim() });
    else if (!isElsewhere(method)) draw.mutate({ method });
  };
  const options = elsewhere ? [DRAWN_ELSEWHERE[elsewhere], ...METHODS] : METHODS;
  return (
    <Form onSubmit={submit}>
      <p>
        People judge {formatCount(sample.sampled)} of {countOf(sample.questions, "question")}. Scores are
        given for these and for all.
      </p>
      {isElsewhere(method) && <p>{elsewhereWords(method, sample)}</p>}
      <div className="row-at-end">
        <Choice label="Judge" value={method} options={options} onChange={setMethod} />
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
        {!isElsewhere(method) && (
          <Button type="submit" busy={draw.isPending}>
            Apply
          </Button>
        )}
      </div>
      <Refusal error={draw.error} />
    </Form>
  );
}

/** How a sample was drawn that this form did not draw, and what follows from it. */
export function elsewhereWords(method: Elsewhere, { sampled, options }: Sample): string {
  if (method === "questions") return "They were named one by one. Choose another way to replace them.";
  const points = options["points"];
  const goal = typeof points === "number" ? ` for scores of ± ${formatPoints(points / 100)} points` : "";
  return `The leaderboard’s planner drew these ${countOf(sampled, "question")}${goal}, more of those where the judge is unsure. Each question’s probability is kept, and the corrected scores weigh by it. Choose another way to replace the sample.`;
}

export function useDraw(slug: string) {
  return useWrite((body: SampleChangeRequest) => post("/api/projects/{slug}/sample", { slug }, body), {
    note: (sample) => `People now judge ${countOf(sample.sampled, "question")}.`,
    stale: [keyOf("/api/projects/{slug}", { slug })],
  });
}
