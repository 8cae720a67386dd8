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
        aria-label={`Let ${rater.name} go on`}
        onClick={() => resuming.mutate(rater)}
      >
        Let go on
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
      note: (_, { name }) => `${name} is given work again.`,
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
        {name} gets no more work, and the judging page says that you paused it and can be asked. Existing
        judgments stay and count.
      </p>
      <Choice
        label="Open sheets"
        hint={takesBack ? TAKEN_BACK : KEPT}
        value={takesBack ? "back" : "kept"}
        options={optionsOf({ kept: "may still be handed in", back: "are taken back at once" })}
        onChange={(chosen) => setTakesBack(chosen === "back")}
      />
    </FormDialog>
  );
}

const KEPT = "Until each sheet’s time runs out; then its answers go to others.";
const TAKEN_BACK =
  "The answers go to others. Work that is still submitted counts if nobody has taken its place; otherwise it is kept but not counted.";
