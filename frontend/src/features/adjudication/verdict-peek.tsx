/** What the judges said, behind one key, so that it does not decide for anybody. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../components/button";
import { QueryView } from "../../components/query-view";
import { VerdictList } from "../../components/verdict-list";
import { useCommands } from "../../lib/use-commands";
import { verdictCommand } from "./commands";
import { read } from "../../api/client";
import styles from "./dossier.module.css";

interface VerdictPeekProps {
  readonly slug: string;
  readonly id: string;
}

export function VerdictPeek({ slug, id }: VerdictPeekProps) {
  const [open, setOpen] = useState(false);
  const query = useQuery({
    ...read("/api/projects/{slug}/answers/{candidate}", { slug, candidate: id }),
    enabled: open,
  });
  const toggle = () => setOpen((before) => !before);
  useCommands([verdictCommand(toggle)]);
  return (
    <section className={styles["part"]}>
      <div>
        <Button size="small" hint="v" aria-expanded={open} onClick={toggle}>
          {open ? "Hide what the judges said" : "What the judges said"}
        </Button>
      </div>
      {open && <QueryView query={query}>{(answer) => <VerdictList verdicts={answer.verdicts} />}</QueryView>}
    </section>
  );
}
