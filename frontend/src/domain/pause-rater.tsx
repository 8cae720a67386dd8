/** Pauses a rater, saying what becomes of the sheets in hand, and lets a paused one go on. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keyOf, post } from "../api/client";
import { messageOf } from "../api/error";
import { Button } from "../components/button";
import { Dialog } from "../components/dialog";
import { Choice, optionsOf } from "../components/form";
import { Notice } from "../components/notice";
import { useToast } from "../components/toast";

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
  const queryClient = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: ({ id }: { readonly id: string; readonly name: string }) =>
      post("/api/projects/{slug}/work/raters/{member_id}/resume", { slug, member_id: id }),
    onSuccess: (_, { name }) => toast({ text: `${name} is given work again.` }),
    onError: (error) => toast({ text: messageOf(error), tone: "error" }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keyOf("/api/projects/{slug}", { slug }) }),
  });
}

export function PauseDialog({ slug, id, name, onClose }: Rater & { readonly onClose: () => void }) {
  const [takesBack, setTakesBack] = useState(false);
  const queryClient = useQueryClient();
  const toast = useToast();
  const pausing = useMutation({
    mutationFn: () =>
      post(
        "/api/projects/{slug}/work/raters/{member_id}/pause",
        { slug, member_id: id },
        { takes_back: takesBack },
      ),
    onSuccess: () => {
      toast({ text: `${name} is paused.` });
      onClose();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: keyOf("/api/projects/{slug}", { slug }) }),
  });
  return (
    <Dialog
      open
      title={`Pause ${name}`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Not now</Button>
          <Button variant="primary" busy={pausing.isPending} onClick={() => pausing.mutate()}>
            Pause
          </Button>
        </>
      }
    >
      <p>
        {name} is handed nothing more, and reads on the judging page that you paused the work and that you are
        the one to ask. What was judged stays and counts.
      </p>
      <Choice
        label="Sheets in hand"
        hint={takesBack ? TAKEN_BACK : KEPT}
        value={takesBack ? "back" : "kept"}
        options={optionsOf({ kept: "may still be handed in", back: "are taken back at once" })}
        onChange={(chosen) => setTakesBack(chosen === "back")}
      />
      {pausing.isError && <Notice tone="danger">{messageOf(pausing.error)}</Notice>}
    </Dialog>
  );
}

const KEPT = "Until the time for each runs out; then others are given its answers.";
const TAKEN_BACK =
  "Others are given the answers. What is still handed in counts where nobody has taken the place, and is kept uncounted elsewhere.";
