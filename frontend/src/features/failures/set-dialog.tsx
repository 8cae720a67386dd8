/** Makes or changes a set of tags of the project's own; tags are written one a line. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keyOf, post, put } from "../../api/client";
import type { TagSet, TagSetDraft } from "../../api/contract";
import { messageOf } from "../../api/error";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { Checkbox, Form, FormError, Select, TextArea, TextField } from "../../components/form";
import { keyOf as keyOfTag, linesOf, tagsOf } from "./tag-lines";

interface SetDialogProps {
  readonly slug: string;
  readonly set: TagSet | null;
  readonly onClose: () => void;
}

export function SetDialog({ slug, set, onClose }: SetDialogProps) {
  const queryClient = useQueryClient();
  const [name, setName] = useState(set?.name ?? "");
  const [summary, setSummary] = useState(set?.summary ?? "");
  const [subject, setSubject] = useState<TagSet["subject"]>(set?.subject ?? "answer");
  const [several, setSeveral] = useState(set?.several ?? true);
  const [lines, setLines] = useState(set ? linesOf(set.tags) : "");
  const key = set?.key ?? keyOfTag(name);
  const content: Omit<TagSetDraft, "key"> = {
    name: name.trim(),
    summary: summary.trim(),
    subject,
    several,
    tags: tagsOf(lines, set?.tags ?? []),
  };
  const save = useMutation({
    mutationFn: () =>
      set
        ? put("/api/projects/{slug}/tag-sets/{key}", { slug, key: set.key }, content)
        : post("/api/projects/{slug}/tag-sets", { slug }, { key, ...content }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: keyOf("/api/projects/{slug}/tag-sets", { slug }) });
      onClose();
    },
  });
  const isComplete = key !== "" && content.tags.length > 0;
  return (
    <Dialog
      open
      wide
      title={set ? `Change ${set.name}` : "A set of your own"}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Leave it</Button>
          <Button type="submit" form="tag-set" variant="primary" busy={save.isPending} disabled={!isComplete}>
            Save the set
          </Button>
        </>
      }
    >
      <Form
        id="tag-set"
        onSubmit={(event) => {
          event.preventDefault();
          if (isComplete) save.mutate();
        }}
      >
        <TextField
          label="Name"
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <TextField
          label="What it is for"
          value={summary}
          onChange={(event) => setSummary(event.target.value)}
        />
        <Select
          label="A tag belongs to"
          value={subject}
          onChange={(event) => setSubject(event.target.value as TagSet["subject"])}
        >
          <option value="answer">an answer</option>
          <option value="question">a question</option>
          <option value="verdict">one judge’s verdict on an answer</option>
        </Select>
        <Checkbox
          label="An item may have several tags"
          checked={several}
          onChange={(event) => setSeveral(event.target.checked)}
        />
        <TextArea
          label="Tags, one a line"
          hint="Name | what it means | an example. Their order is that of the keys."
          rows={8}
          value={lines}
          onChange={(event) => setLines(event.target.value)}
        />
        {set?.is_used && <p>A round uses this version and keeps it; the change is the next version.</p>}
        {save.error && <FormError>{messageOf(save.error)}</FormError>}
      </Form>
    </Dialog>
  );
}
