/** Pauses a rater, saying what becomes of the sheets in hand, and lets a paused one go on. */
import { useState } from "react";
import { keyOf, post } from "../api/client";
import { Button } from "../components/button";
import { FormDialog } from "../components/dialog";
import { Choice, optionsOf } from "../components/form";
import { useWrite } from "../components/use-write";

interface Rater {
  readonly slug: string;
  readonly id: string;
  readonly name: string;
}

export function PauseRater({ state, ...rater }: Rater & { readonly state: string }) {
  const [pausing, setPausing] = useState(false);
  const resuming = useResumeRater(rater.slug);
  if (state === "paused") {
    return (
      <Button
        size="small"
        busy={resuming.isPending}
        aria-label={`Resume work for ${rater.name}`}
        onClick={() => resuming.mutate(rater)}
      >
        Resume
      </Button>
    );
  }
  if (state !== "active") return null;
  return (
    <>
      <Button size="small" aria-label={`Pause ${rater.name}`} onClick={() => setPausing(true)}>
        Pause…
      </Button>
      {pausing && <PauseDialog {...rater} onClose={() => setPausing(false)} />}
    </>
  );
}

export function useResumeRater(slug: string) {
  return useWrite(
    ({ id }: { readonly id: string; readonly name: string }) =>
      post("/api/projects/{slug}/work/raters/{member_id}/resume", { slug, member_id: id }),
    {
      note: (_, { name }) => `${name} can receive work again.`,
      refusal: "note",
      stale: [keyOf("/api/projects/{slug}", { slug })],
    },
  );
}

export function PauseDialog({ slug, id, name, onClose }: Rater & { readonly onClose: () => void }) {
  const [takesBack, setTakesBack] = useState(false);
  const pausing = useWrite(
    () =>
      post(
        "/api/projects/{slug}/work/raters/{member_id}/pause",
        { slug, member_id: id },
        { takes_back: takesBack },
      ),
    {
      note: `${name} is paused.`,
      refusal: "renew",
      stale: [keyOf("/api/projects/{slug}", { slug })],
      onDone: onClose,
    },
  );
  return (
    <FormDialog
      title={`Pause ${name}`}
      action="Pause"
      cancel="Cancel"
      write={pausing}
      onSubmit={() => pausing.mutate()}
      onClose={onClose}
    >
      <p>
        {name} receives no more work. Their judging page says that you paused their work and tells them to
        contact you. Existing judgments still count.
      </p>
      <Choice
        label="Open sheets"
        hint={takesBack ? TAKEN_BACK : KEPT}
        value={takesBack ? "back" : "kept"}
        options={optionsOf({ kept: "Let the annotator submit them", back: "Recall now" })}
        onChange={(chosen) => setTakesBack(chosen === "back")}
      />
    </FormDialog>
  );
}

const KEPT =
  "The annotator can submit each sheet until its time runs out. If the annotator does not submit a sheet, its answers go to other annotators.";
const TAKEN_BACK =
  "The answers go to other annotators. If this annotator still submits a sheet, judgments of answers that have already gone to another annotator are kept but do not count. The other judgments count.";
