/** Says of a decided answer that its label is known, for hidden checks or for training. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read } from "../../api/client";
import type { AnswerHistory } from "../../api/contract";
import { useProject } from "../../api/project";
import { Badge } from "../../components/badge";
import { Button } from "../../components/button";
import { KnownMarkDialog } from "../../components/known-mark-dialog";
import { wordsOfUse } from "../../lib/known-uses";

export function KnownMark({ answer }: { readonly answer: AnswerHistory }) {
  const project = useProject();
  const isLead = project.role === "lead" && project.state !== "archived";
  const query = useQuery({
    ...read("/api/projects/{slug}/known-answers", { slug: project.slug }),
    enabled: isLead,
  });
  const [open, setOpen] = useState(false);
  const canBeKnown = answer.state === "decided" || answer.state === "unasked";
  if (!isLead || !canBeKnown || query.data === undefined) return null;
  const known = query.data.find((item) => item.answer === answer.id);
  return (
    <>
      {known && <Badge>Known answer, {wordsOfUse(known.use).toLowerCase()}</Badge>}
      <Button size="small" onClick={() => setOpen(true)}>
        {known ? "Change what is known" : "Use as a known answer"}
      </Button>
      {open && (
        <KnownMarkDialog slug={project.slug} answer={answer} known={known} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
