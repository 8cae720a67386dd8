/** The sets of tags: those of the papers with their meanings, and the project's own. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read } from "../../api/client";
import type { TagSet } from "../../api/contract";
import { useProject } from "../../api/project";
import { Badge } from "../../components/badge";
import { Button } from "../../components/button";
import { Entry, EntryHead, EntryList, More } from "../../components/list";
import { Page, PageHeader, useTitle } from "../../components/page";
import { ProjectButtonLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { countOf } from "../../lib/numbers";
import styles from "./failures.module.css";
import { SetDialog } from "./set-dialog";

export function SetsPage() {
  const project = useProject();
  useTitle("Tag sets", project.name);
  const query = useQuery(read("/api/projects/{slug}/tag-sets", { slug: project.slug }));
  const [editing, setEditing] = useState<TagSet | "new" | null>(null);
  const isLead = project.role === "lead";
  return (
    <Page width="reading">
      <PageHeader
        title="Tag sets"
        lead="Four come from the papers; a project can have its own."
        actions={
          <>
            <ProjectButtonLink page="failures">All rounds</ProjectButtonLink>
            {isLead && (
              <Button variant="primary" onClick={() => setEditing("new")}>
                New set
              </Button>
            )}
          </>
        }
      />
      <QueryView query={query}>
        {(sets) => (
          <EntryList>
            {sets.map((set) => (
              <SetEntry
                key={set.key}
                set={set}
                {...(isLead && set.is_own && { onEdit: () => setEditing(set) })}
              />
            ))}
          </EntryList>
        )}
      </QueryView>
      {editing !== null && (
        <SetDialog
          slug={project.slug}
          set={editing === "new" ? null : editing}
          onClose={() => setEditing(null)}
        />
      )}
    </Page>
  );
}

const ABOUT = { answer: "about answers", question: "about questions", verdict: "about a judge’s verdicts" };

function SetEntry({ set, onEdit }: { readonly set: TagSet; readonly onEdit?: () => void }) {
  return (
    <Entry>
      <EntryHead>
        <h2 className={styles["question"]}>{set.name}</h2>
        {set.is_own && <Badge>version {set.version}</Badge>}
        {onEdit && (
          <Button size="small" onClick={onEdit}>
            Change
          </Button>
        )}
      </EntryHead>
      <p>{set.summary}</p>
      <p className={styles["soft"]}>
        {ABOUT[set.subject]} · {set.several ? "several tags an item" : "one tag an item"}
        {set.source && ` · after ${set.source}`}
      </p>
      <More summary={countOf(set.tags.length, "tag")}>
        <dl className={styles["tags"]}>
          {set.tags.map((tag) => (
            <div key={tag.key}>
              <dt>
                {tag.name} <span className={styles["soft"]}>{tag.group}</span>
              </dt>
              <dd>{tag.meaning}</dd>
              <dd className={styles["soft"]}>{tag.example}</dd>
            </div>
          ))}
        </dl>
      </More>
    </Entry>
  );
}
