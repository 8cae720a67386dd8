/** The pilot: begun, watched and ended here. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { post, read } from "../../api/client";
import type { Pilot, PilotBegin, Pilots } from "../../api/contract";
import { ApiError, messageOf } from "../../api/error";
import { Button } from "../../components/button";
import { Select, TextField } from "../../components/field";
import { FieldRow } from "../../components/field-row";
import { Fields, Form, FormError } from "../../components/form";
import { Section } from "../../components/page";
import { ProjectLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { RelativeTime } from "../../components/relative-time";
import { useToast } from "../../components/toast";
import { countOf } from "../../lib/numbers";
import { OpenPilot } from "./open-pilot";
import styles from "./work.module.css";

export function PilotSection({ slug }: { readonly slug: string }) {
  const query = useQuery(read("/api/projects/{slug}/work/pilots", { slug }));
  return (
    <Section title="Pilot">
      <QueryView query={query}>{(pilots) => <Standing slug={slug} pilots={pilots} />}</QueryView>
    </Section>
  );
}

function Standing({ slug, pilots: { pilots, untouched_questions: untouched } }: StandingProps) {
  const open = pilots.find(({ outcome }) => outcome === "");
  const ended = pilots.filter(({ outcome }) => outcome !== "");
  return (
    <>
      {open ? <OpenPilot slug={slug} pilot={open} /> : <BeginForm slug={slug} untouched={untouched} />}
      {ended.map((pilot) => (
        <Ended key={pilot.id} pilot={pilot} />
      ))}
    </>
  );
}

interface StandingProps {
  readonly slug: string;
  readonly pilots: Pilots;
}

function Ended({ pilot }: { readonly pilot: Pilot }) {
  const left = pilot.outcome === "again" ? "are judged again as work" : "are left out of the study";
  return (
    <p className={styles["soft"]}>
      A pilot with {countOf(pilot.questions, "question")} ended{" "}
      {pilot.ended_at !== null && <RelativeTime at={pilot.ended_at} />}; its questions {left}.{" "}
      <ProjectLink page="agreement">How far the raters agreed</ProjectLink>
    </p>
  );
}

interface BeginFormProps {
  readonly slug: string;
  readonly untouched: number;
}

const USUAL_SIZE = 10;

function BeginForm({ slug, untouched }: BeginFormProps) {
  const [count, setCount] = useState(String(Math.min(USUAL_SIZE, untouched)));
  const [seed, setSeed] = useState<string | null>(null);
  const beginning = useBegin(slug);
  if (untouched === 0) {
    return (
      <p className={styles["soft"]}>A pilot needs questions that nobody was handed yet; there are none.</p>
    );
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    beginning.mutate({ questions: Number(count), seed: seed === null ? null : Number(seed) });
  };
  const complaint = beginning.error instanceof ApiError ? beginning.error.fieldMessage("questions") : null;
  return (
    <Form onSubmit={submit}>
      <Fields>
        <p className={styles["soft"]}>
          All raters judge the same few questions before anything else; you see how far they agree and where
          the guidelines leave doubt. Nothing said there counts. {countOf(untouched, "question")} could serve.
        </p>
        <FieldRow>
          <TextField
            label="Questions in the pilot"
            type="number"
            required
            min={1}
            max={untouched}
            value={count}
            error={complaint}
            onChange={(event) => setCount(event.target.value)}
          />
          <Select
            label="Which ones"
            value={seed === null ? "first" : "seed"}
            onChange={(event) => setSeed(event.target.value === "seed" ? "1" : null)}
          >
            <option value="first">The first, as imported</option>
            <option value="seed">Drawn by a seed</option>
          </Select>
          {seed !== null && (
            <TextField
              label="Seed"
              type="number"
              required
              min={0}
              max={2_147_483_647}
              value={seed}
              onChange={(event) => setSeed(event.target.value)}
            />
          )}
        </FieldRow>
      </Fields>
      {beginning.isError && complaint === null && <FormError>{messageOf(beginning.error)}</FormError>}
      <div>
        <Button type="submit" busy={beginning.isPending}>
          Begin the pilot
        </Button>
      </div>
    </Form>
  );
}

function useBegin(slug: string) {
  const queryClient = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: (body: PilotBegin) => post("/api/projects/{slug}/work/pilots", { slug }, body),
    onSuccess: async (pilots) => {
      queryClient.setQueryData(read("/api/projects/{slug}/work/pilots", { slug }).queryKey, pilots);
      toast({ text: "The pilot has begun: the next sheets come from it." });
      await queryClient.invalidateQueries({ queryKey: read("/api/projects/{slug}/work", { slug }).queryKey });
    },
  });
}
