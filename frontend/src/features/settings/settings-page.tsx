/** What a project is called, and the protocol by which its answers are judged. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { keyOf, patch, post, read } from "../../api/client";
import type { ProjectDetail } from "../../api/schema";
import { useProject } from "../../api/project";
import { Button } from "../../components/button";
import { FormDialog } from "../../components/dialog";
import { Form, Refusal, Submit, TextArea, TextField } from "../../components/form";
import { Page, PageHeader, Section, useTitle } from "../../components/page";
import { ProjectButtonLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { useWrite } from "../../components/use-write";
import { hasAnswers } from "../../domain/annotators";
import { cleaningName, CleaningSelect, factsOf } from "../../domain/protocol";
import { OrganizationSection } from "./organization-section";
import styles from "./settings.module.css";

export function SettingsPage() {
  const project = useProject();
  useTitle("Settings", project.name);
  return (
    <Page width="reading">
      <PageHeader title="Settings" />
      <Section title="Project">
        <NameForm project={project} />
      </Section>
      <Section title="Protocol">
        <ProtocolSection slug={project.slug} />
        <ProtocolLink />
      </Section>
      {project.state === "open" && <OrganizationSection slug={project.slug} />}
      <Section title="Copy project">
        <CopyForm slug={project.slug} />
      </Section>
      <Section title="Archive">
        <ArchiveSection project={project} />
      </Section>
    </Page>
  );
}

function NameForm({ project }: { readonly project: ProjectDetail }) {
  const [name, setName] = useState(project.name);
  const [description, setDescription] = useState(project.description);
  const [cleaning, setCleaning] = useState(project.cleaning);
  const setup = useQuery(read("/api/projects/{slug}/setup", { slug: project.slug }));
  const isFixed = setup.data !== undefined && hasAnswers(setup.data);
  const change = useWrite(
    () =>
      patch(
        "/api/projects/{slug}",
        { slug: project.slug },
        { name: name.trim(), description: description.trim(), ...(!isFixed && { cleaning }) },
      ),
    {
      note: "Settings saved.",
      stale: [keyOf("/api/projects/{slug}", { slug: project.slug }), read("/api/projects").queryKey],
    },
  );
  return (
    <Form onSubmit={() => change.mutate()}>
      <TextField
        label="Name"
        required
        maxLength={200}
        hint={`The project’s web address stays /${project.slug}.`}
        value={name}
        onChange={setName}
      />
      <TextArea label="Description" rows={4} value={description} onChange={setDescription} />
      {isFixed && <FixedCleaning cleaning={project.cleaning} />}
      {!isFixed && !setup.isPending && <CleaningSelect value={cleaning} onChange={setCleaning} />}
      <Submit write={change} disabled={name.trim() === ""}>
        Save
      </Submit>
    </Form>
  );
}

function FixedCleaning({ cleaning }: Pick<ProjectDetail, "cleaning">) {
  return (
    <dl className={styles["facts"]}>
      <div className={styles["fact"]}>
        <dt>Cleanup before judging</dt>
        <dd>{cleaningName(cleaning)}. Fixed, because the project already has answers.</dd>
      </div>
    </dl>
  );
}

function CopyForm({ slug }: { readonly slug: string }) {
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const copying = useWrite(() => post("/api/projects/{slug}/copy", { slug }, { name: name.trim() }), {
    stale: [read("/api/projects").queryKey],
    onDone: (copied) => navigate({ to: `/${copied.slug}/settings` as "/" }),
  });
  return (
    <Form onSubmit={() => copying.mutate()}>
      <p>
        The copy has the same protocol, guidelines, and pooling and cleanup settings, but no questions,
        answers, or people.
      </p>
      <TextField label="New project name" required maxLength={200} value={name} onChange={setName} />
      <Submit write={copying} disabled={name.trim() === ""}>
        Copy project
      </Submit>
    </Form>
  );
}

function ProtocolSection({ slug }: { readonly slug: string }) {
  const protocol = useQuery(read("/api/projects/{slug}/protocol", { slug }));
  return (
    <QueryView query={protocol}>
      {(version) => (
        <dl className={styles["facts"]}>
          {factsOf(version.spec).map((fact) => (
            <div key={fact.name} className={styles["fact"]}>
              <dt>{fact.name}</dt>
              <dd>{fact.words}</dd>
            </div>
          ))}
        </dl>
      )}
    </QueryView>
  );
}

function ProtocolLink() {
  return (
    <div className={styles["actions"]}>
      <ProjectButtonLink page="protocol">Edit protocol</ProjectButtonLink>
    </div>
  );
}

function ArchiveSection({ project }: { readonly project: ProjectDetail }) {
  const [deleting, setDeleting] = useState(false);
  const isArchived = project.state === "archived";
  const change = useWrite(
    () => patch("/api/projects/{slug}", { slug: project.slug }, { state: isArchived ? "open" : "archived" }),
    { stale: [keyOf("/api/projects/{slug}", { slug: project.slug }), read("/api/projects").queryKey] },
  );
  return (
    <>
      <p>
        {isArchived
          ? "This project is archived. You can view and export everything, but nobody can judge or change anything."
          : "Archiving stops all judging and changes. You can still view and export everything, and a lead can reopen the project."}
      </p>
      <Refusal error={change.error} />
      <div className={styles["actions"]}>
        <Button busy={change.isPending} onClick={() => change.mutate()}>
          {isArchived ? "Reopen project" : "Archive project"}
        </Button>
        {isArchived && (
          <Button variant="danger" onClick={() => setDeleting(true)}>
            Delete project
          </Button>
        )}
      </div>
      {deleting && <DeleteDialog project={project} onClose={() => setDeleting(false)} />}
    </>
  );
}

interface DeleteDialogProps {
  readonly project: ProjectDetail;
  readonly onClose: () => void;
}

function DeleteDialog({ project, onClose }: DeleteDialogProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const deleting = useWrite(() => post("/api/projects/{slug}/delete", { slug: project.slug }, { name }), {
    note: `Deleted ${project.name}.`,
    onDone: async () => {
      await navigate({ to: "/" });
      queryClient.removeQueries({ queryKey: keyOf("/api/projects/{slug}", { slug: project.slug }) });
      await queryClient.invalidateQueries({ queryKey: ["projects"] });
    },
  });
  return (
    <FormDialog
      title={`Delete ${project.name}?`}
      action="Delete permanently"
      cancel="Cancel"
      variant="danger"
      write={deleting}
      isReady={name.trim() === project.name}
      onSubmit={() => deleting.mutate()}
      onClose={onClose}
    >
      <p>
        This permanently deletes all questions, answers, votes, decisions, verdicts, and files in the project,
        including exports. To keep data, <Link to={`/${project.slug}/export` as "/"}>export</Link> and
        download it first.
      </p>
      <TextField label={`Type “${project.name}” to confirm`} value={name} onChange={setName} />
    </FormDialog>
  );
}
