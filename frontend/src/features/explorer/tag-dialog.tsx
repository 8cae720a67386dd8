/** Tags the selected answers: the same for all at once, or one by one in a round made of them. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { keyOf, post, read } from "../../api/client";
import type { AnswerLine, TagSet } from "../../api/schema";
import { useProject } from "../../api/project";
import { FormDialog } from "../../components/dialog";
import { Choice, Several, TextArea } from "../../components/form";
import { useWrite } from "../../components/use-write";
import { countOf } from "../../lib/numbers";

interface TagDialogProps {
  readonly lines: readonly AnswerLine[];
  readonly onDone: (done: { readonly words: string }) => void;
  readonly onClose: () => void;
}

export function TagDialog({ lines, onDone, onClose }: TagDialogProps) {
  const { slug } = useProject();
  const navigate = useNavigate();
  const { data: all } = useQuery(read("/api/projects/{slug}/tag-sets", { slug }));
  // A verdict is tagged in a round about its judge.
  const sets = all?.filter(({ subject }) => subject !== "verdict") ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  const [tags, setTags] = useState<readonly string[]>([]);
  const [note, setNote] = useState("");
  const set = sets.find(({ key }) => key === chosen) ?? sets[0];
  const count = countOf(lines.length, "answer");
  const write = useWrite(
    () =>
      post(
        "/api/projects/{slug}/tagging/chosen",
        { slug },
        { set: set?.key ?? "", answers: lines.map(({ id }) => id), tags: [...tags], note: note.trim() },
      ),
    {
      stale: [keyOf("/api/projects/{slug}", { slug })],
      onDone: ({ id, total }) => {
        const things = set?.subject === "question" ? "question" : "answer";
        onDone({ words: `${countOf(total, things)} ${tags.length > 0 ? "tagged" : "ready to tag"}.` });
        if (tags.length === 0) void navigate({ to: `/${slug}/failures/${id}` as "/" });
      },
    },
  );
  return (
    <FormDialog
      wide
      title={`Tag ${count}`}
      action={tags.length > 0 ? `Tag ${count}` : "Tag one by one"}
      cancel="Cancel"
      write={write}
      isReady={set !== undefined}
      onSubmit={() => write.mutate()}
      onClose={onClose}
    >
      <p>
        These answers become a separate tagging round on the Failures page. They are not a random sample, so
        the share of each tag describes only these answers. You can tag only decided answers.
      </p>
      <Choice
        data-autofocus
        label="Tag set"
        value={set?.key ?? ""}
        options={sets.map(({ key, name }) => ({ value: key, name }))}
        onChange={(key) => {
          setChosen(key);
          setTags([]);
        }}
      />
      {set && <Tags set={set} tags={tags} onChange={setTags} />}
      {tags.length > 0 && <TextArea label="Note" rows={2} maxLength={2000} value={note} onChange={setNote} />}
    </FormDialog>
  );
}

interface TagsProps {
  readonly set: TagSet;
  readonly tags: readonly string[];
  readonly onChange: (tags: readonly string[]) => void;
}

function Tags({ set, tags, onChange }: TagsProps) {
  const options = set.tags.map(({ key, name, meaning }) => ({ value: key, name, title: meaning }));
  if (!set.several) {
    return (
      <Choice
        label="Tag for all answers"
        value={tags[0]}
        options={options}
        onChange={(tag) => onChange(tag ? [tag] : [])}
        empty="None (tag one by one)"
      />
    );
  }
  return (
    <Several
      legend="Tags for all answers (choose none to tag one by one)"
      options={options}
      chosen={tags}
      onChange={onChange}
    />
  );
}
