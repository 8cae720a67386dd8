/** The sets of tags: those of the papers with their meanings, and the project's own. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { keyOf, post, put, read } from "../../api/client";
import type { TagSet, TagSetCreateRequest } from "../../api/schema";
import { useProject } from "../../api/project";
import { Badge } from "../../components/badge";
import { Button } from "../../components/button";
import { FormDialog } from "../../components/dialog";
import { Checkbox, Choice, optionsOf, TextArea, TextField } from "../../components/form";
import { Entry, EntryHead, EntryList, More } from "../../components/list";
import { Page, PageHeader, useTitle } from "../../components/page";
import { QueryView } from "../../components/query-view";
import { Term } from "../../components/term";
import { useWrite } from "../../components/use-write";
import { countOf } from "../../lib/numbers";
import styles from "./failures.module.css";
import { keyOf as keyOfTag, linesOf, tagsOf } from "./words";

export function SetsPage() {
  const project = useProject();
  useTitle("Tag sets", project.name);
  const query = useQuery(read("/api/projects/{slug}/tag-sets", { slug: project.slug }));
  const [editing, setEditing] = useState<TagSet | "new" | null>(null);
  const isLead = project.role === "lead";
  return (
    <Page width="reading">
      <PageHeader
        title={<Term name="tag-set">Tag sets</Term>}
        lead={`Four tag sets come from papers.${isLead ? " You can add your own." : ""}`}
        actions={
          isLead && (
            <Button variant="primary" onClick={() => setEditing("new")}>
              Create tag set
            </Button>
          )
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

const BELONGS_TO = {
  answer: "Answer",
  question: "Question",
  verdict: "Judge’s verdict",
};
const ABOUT = { answer: "for answers", question: "for questions", verdict: "for judges’ verdicts" };

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
      <p className="soft">
        {ABOUT[set.subject]} · {set.several ? "several tags per item" : "one tag per item"}
        {set.source && ` · from ${set.source}`}
      </p>
      <More summary={countOf(set.tags.length, "tag")}>
        <dl className={styles["tags"]}>
          {set.tags.map((tag) => (
            <div key={tag.key}>
              <dt>
                {tag.name} <span className="soft">{tag.group}</span>
              </dt>
              <dd>{tag.meaning}</dd>
              <dd className="soft">{tag.example}</dd>
            </div>
          ))}
        </dl>
      </More>
    </Entry>
  );
}

interface SetDialogProps {
  readonly slug: string;
  readonly set: TagSet | null;
  readonly onClose: () => void;
}

function SetDialog({ slug, set, onClose }: SetDialogProps) {
  const [name, setName] = useState(set?.name ?? "");
  const [summary, setSummary] = useState(set?.summary ?? "");
  const [subject, setSubject] = useState<TagSet["subject"]>(set?.subject ?? "answer");
  const [several, setSeveral] = useState(set?.several ?? true);
  const [lines, setLines] = useState(set ? linesOf(set.tags) : "");
  const key = set?.key ?? keyOfTag(name);
  const content: Omit<TagSetCreateRequest, "key"> = {
    name: name.trim(),
    summary: summary.trim(),
    subject,
    several,
    tags: tagsOf(lines, set?.tags ?? []),
  };
  const save = useWrite(
    () =>
      set
        ? put("/api/projects/{slug}/tag-sets/{key}", { slug, key: set.key }, content)
        : post("/api/projects/{slug}/tag-sets", { slug }, { key, ...content }),
    { stale: [keyOf("/api/projects/{slug}/tag-sets", { slug })], onDone: onClose },
  );
  const isComplete = key !== "" && content.tags.length > 0;
  return (
    <FormDialog
      wide
      title={set ? `Change ${set.name}` : "New tag set"}
      action="Save tag set"
      cancel="Cancel"
      write={save}
      isReady={isComplete}
      onSubmit={() => isComplete && save.mutate()}
      onClose={onClose}
    >
      <TextField label="Name" maxLength={100} value={name} onChange={setName} />
      <TextField label="Purpose" value={summary} onChange={setSummary} />
      <Choice label="Item to tag" value={subject} options={optionsOf(BELONGS_TO)} onChange={setSubject} />
      <Checkbox label="An item may have several tags" checked={several} onChange={setSeveral} />
      <TextArea
        label="Tags, one per line"
        hint="Format: name | meaning | example. The first tag gets key 1, the second gets key 2, and so on."
        rows={8}
        value={lines}
        onChange={setLines}
      />
      {set?.is_used && <p>Existing rounds keep the current version. Your change creates a new version.</p>}
    </FormDialog>
  );
}
