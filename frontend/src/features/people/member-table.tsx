/** The members with their role and whether they take part. */
import { useState } from "react";
import { keyOf, patch } from "../../api/client";
import type { Member, PatchedMemberChangeRequest, RoleEnum } from "../../api/schema";
import { ConfirmDialog } from "../../components/dialog";
import { Choice, type ChoiceProps } from "../../components/form";
import { RelativeTime } from "../../components/relative-time";
import { type Column, Table } from "../../components/table";
import { explained } from "../../components/term";
import { useWrite } from "../../components/use-write";
import { PauseDialog, useResumeRater } from "../../domain/pause-rater";
import { formatCount } from "../../lib/numbers";
import styles from "./people.module.css";
import { groupOptions, MEMBER_STATES, ROLE_NAMES, roleChangeWords, ROLES, useGroups } from "./roles";

interface Change {
  readonly id: string;
  readonly body: PatchedMemberChangeRequest;
}

function useChangeMember(slug: string) {
  return useWrite(
    ({ id, body }: Change) =>
      patch("/api/projects/{slug}/members/{member_id}", { slug, member_id: id }, body),
    {
      note: (member) => `Updated ${member.name}.`,
      refusal: "note",
      stale: [keyOf("/api/projects/{slug}/members", { slug })],
    },
  );
}

function groupColumn(groups: readonly string[], change: (change: Change) => void): Column<Member> {
  return {
    key: "group",
    header: "Group of systems",
    explains: explained("group-of-systems"),
    value: (member) => member.group,
    cell: (member) =>
      member.role === "annotator" && (
        <RowChoice
          label={`Group of systems for ${member.name}`}
          value={member.group}
          options={groupOptions(groups, member.group)}
          onChange={(group) => change({ id: member.public_id, body: { group } })}
        />
      ),
  };
}

function columnsFor(
  change: (change: Change) => void,
  changeState: (member: Member, state: Member["state"]) => void,
  changeRole: (member: Member, role: RoleEnum) => void,
  groups: readonly string[],
): Column<Member>[] {
  return [
    {
      key: "name",
      header: "Name",
      value: (member) => member.name,
      csv: ({ name, username }) => ({ name, username }),
      cell: (member) => (
        <span className={styles["name"]}>
          <span dir="auto">{member.name}</span>
          <span className="soft-regular">
            {member.is_imported ? "Imported annotator without an account; cannot judge" : member.username}
          </span>
        </span>
      ),
    },
    {
      key: "pseudonym",
      header: "Pseudonym",
      explains: explained("pseudonym"),
      value: (member) => member.pseudonym,
    },
    {
      key: "role",
      header: "Role",
      value: (member) => member.role,
      cell: (member) => (
        <RowChoice
          label={`Role of ${member.name}`}
          value={member.role}
          options={ROLES}
          onChange={(role) => changeRole(member, role as RoleEnum)}
        />
      ),
    },
    ...(groups.length > 0 ? [groupColumn(groups, change)] : []),
    {
      key: "state",
      header: "Status",
      value: (member) => member.state,
      cell: (member) => (
        <RowChoice
          label={`Status of ${member.name}`}
          value={member.state}
          options={MEMBER_STATES}
          onChange={(state) => changeState(member, state as Member["state"])}
        />
      ),
    },
    {
      key: "judged",
      header: "Answers judged",
      align: "end",
      value: (member) => member.judged_count ?? 0,
      cell: (member) => formatCount(member.judged_count),
    },
    {
      key: "joined",
      header: "Joined",
      align: "end",
      value: (member) => member.joined_at,
      cell: (member) => <RelativeTime at={member.joined_at} />,
    },
  ];
}

function RowChoice(props: ChoiceProps) {
  return (
    <div className={styles["choice"]}>
      <Choice hideLabel {...props} />
    </div>
  );
}

export function MemberTable({
  slug,
  members,
}: {
  readonly slug: string;
  readonly members: readonly Member[];
}) {
  const change = useChangeMember(slug);
  const groups = useGroups(slug);
  const resuming = useResumeRater(slug);
  const [pausing, setPausing] = useState<Member | null>(null);
  const [changing, setChanging] = useState<{ readonly member: Member; readonly role: RoleEnum } | null>(null);
  // A rater's pause says what becomes of the sheets in hand; whoever holds none just changes.
  const changeState = (member: Member, state: Member["state"]) => {
    const rates = member.role === "annotator" && !member.is_imported;
    if (rates && member.state === "active" && state === "paused") setPausing(member);
    else if (rates && member.state === "paused" && state === "active")
      resuming.mutate({ id: member.public_id, name: member.name });
    else change.mutate({ id: member.public_id, body: { state } });
  };
  return (
    <>
      <Table
        folds
        caption="Project members"
        columns={columnsFor(
          change.mutate,
          changeState,
          (member, role) => setChanging({ member, role }),
          groups,
        )}
        rows={members}
        rowKey={(member) => member.public_id}
        file={{ name: "members" }}
      />
      {changing && (
        <ConfirmDialog
          title={`Make ${changing.member.name} ${ROLE_NAMES[changing.role]}?`}
          confirm="Change role"
          onConfirm={() =>
            change.mutateAsync({ id: changing.member.public_id, body: { role: changing.role } })
          }
          onClose={() => setChanging(null)}
        >
          <p>{roleChangeWords(changing.member, changing.role)}</p>
        </ConfirmDialog>
      )}
      {pausing && (
        <PauseDialog
          slug={slug}
          id={pausing.public_id}
          name={pausing.name}
          onClose={() => setPausing(null)}
        />
      )}
    </>
  );
}
