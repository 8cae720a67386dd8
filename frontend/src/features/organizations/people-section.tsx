/** Who is in an organization: adding somebody by username, changing roles, and taking people out. */
import { useState } from "react";
import { del, keyOf, patch, post } from "../../api/client";
import { fieldMessage } from "../../api/error";
import type { OrganizationPerson, OrganizationRoleEnum } from "../../api/schema";
import { Button } from "../../components/button";
import { ConfirmDialog, FormDialog } from "../../components/dialog";
import { Choice, optionsOf, TextField } from "../../components/form";
import { RelativeTime } from "../../components/relative-time";
import { type Column, Table } from "../../components/table";
import { useWrite } from "../../components/use-write";

const ROLES: Readonly<Record<OrganizationRoleEnum, string>> = { member: "Member", owner: "Owner" };
const STALE = [keyOf("/api/organizations")];

interface PeopleTableProps {
  readonly organization: string;
  readonly people: readonly OrganizationPerson[];
}

interface Change {
  readonly member_id: string;
  readonly role: OrganizationRoleEnum;
}

export function PeopleTable({ organization, people }: PeopleTableProps) {
  const [removing, setRemoving] = useState<OrganizationPerson | null>(null);
  const change = useWrite(
    ({ member_id, role }: Change) =>
      patch("/api/organizations/{organization}/people/{member_id}", { organization, member_id }, { role }),
    { note: ({ name }) => `Updated ${name}.`, refusal: "note", stale: STALE },
  );
  return (
    <>
      <Table
        folds
        caption="People in the organization"
        columns={columnsFor(change.mutate, setRemoving)}
        rows={people}
        rowKey={({ member_id }) => member_id}
      />
      {removing && (
        <ConfirmDialog
          title={`Remove ${removing.name}?`}
          confirm="Remove"
          onConfirm={() =>
            del("/api/organizations/{organization}/people/{member_id}", {
              organization,
              member_id: removing.member_id,
            })
          }
          stale={STALE}
          note={`Removed ${removing.name}.`}
          onClose={() => setRemoving(null)}
        >
          <p>They leave the organization but keep their roles in its projects.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function columnsFor(
  change: (change: Change) => void,
  remove: (person: OrganizationPerson) => void,
): Column<OrganizationPerson>[] {
  return [
    { key: "name", header: "Name", value: ({ name }) => name },
    { key: "username", header: "Username", value: ({ username }) => username },
    {
      key: "role",
      header: "Role",
      value: ({ role }) => role,
      cell: ({ member_id, name, role }) => (
        <Choice
          hideLabel
          label={`Role of ${name}`}
          value={role}
          options={optionsOf(ROLES)}
          onChange={(chosen) => change({ member_id, role: chosen })}
        />
      ),
    },
    {
      key: "joined",
      header: "Added",
      align: "end",
      value: ({ joined_at }) => joined_at,
      cell: ({ joined_at }) => <RelativeTime at={joined_at} />,
    },
    {
      key: "remove",
      header: "Actions",
      align: "end",
      cell: (person) => (
        <Button size="small" aria-label={`Remove ${person.name}`} onClick={() => remove(person)}>
          Remove
        </Button>
      ),
    },
  ];
}

interface AddPersonDialogProps {
  readonly organization: string;
  readonly onClose: () => void;
}

export function AddPersonDialog({ organization, onClose }: AddPersonDialogProps) {
  const [username, setUsername] = useState("");
  const [role, setRole] = useState<OrganizationRoleEnum>("member");
  const adding = useWrite(
    () =>
      post("/api/organizations/{organization}/people", { organization }, { username: username.trim(), role }),
    { note: ({ name }) => `Added ${name}.`, stale: STALE, onDone: onClose },
  );
  return (
    <FormDialog
      title="Add person"
      action="Add"
      cancel="Cancel"
      write={adding}
      isReady={username.trim() !== ""}
      onSubmit={() => adding.mutate()}
      onClose={onClose}
    >
      <TextField
        label="Username"
        hint="The person needs an account on this server."
        autoFocus
        required
        maxLength={150}
        value={username}
        error={fieldMessage(adding.error, "username")}
        onChange={setUsername}
      />
      <Choice
        label="Role"
        hint="Members can create projects in the organization and move their projects into it. Owners can also view this page and manage people."
        value={role}
        options={optionsOf(ROLES)}
        onChange={setRole}
      />
    </FormDialog>
  );
}
