/** Which organization a project is in, and moving it: only where there is one to speak of. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { keyOf, put, read } from "../../api/client";
import type { ProjectOrganization } from "../../api/schema";
import { Choice, Form, Submit } from "../../components/form";
import { Section } from "../../components/page";
import { useWrite } from "../../components/use-write";

export function OrganizationSection({ slug }: { readonly slug: string }) {
  const { data } = useQuery(read("/api/projects/{slug}/organization", { slug }));
  if (!data || (data.slug === "" && data.choices.length === 0)) return null;
  return (
    <Section title="Organization">
      <p>
        {data.slug === ""
          ? "This project is not in an organization. If you move it to one, the organization’s limits apply to it. Access to the project does not change."
          : `This project is in ${data.name}, whose limits apply to it. Access to the project requires a role in the project.`}
      </p>
      {data.may_move ? (
        <MoveForm key={data.slug} slug={slug} place={data} />
      ) : (
        <p>{`Only people in ${data.name} can move the project.`}</p>
      )}
    </Section>
  );
}

interface MoveFormProps {
  readonly slug: string;
  readonly place: ProjectOrganization;
}

function MoveForm({ slug, place }: MoveFormProps) {
  const [chosen, setChosen] = useState(place.slug);
  const move = useWrite(() => put("/api/projects/{slug}/organization", { slug }, { organization: chosen }), {
    note: "Project moved.",
    stale: [keyOf("/api/projects/{slug}/organization", { slug }), keyOf("/api/organizations")],
  });
  return (
    <Form onSubmit={() => move.mutate()}>
      <Choice
        label="Organization"
        value={chosen}
        empty="None"
        options={place.choices.map(({ slug: value, name }) => ({ value, name }))}
        onChange={setChosen}
      />
      <Submit write={move} disabled={chosen === place.slug}>
        Move project
      </Submit>
    </Form>
  );
}
