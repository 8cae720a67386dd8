/** An organization, for its owners: what it uses of its limits, who is in it, and its projects by name. */
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { read } from "../../api/client";
import type { OrganizationProject, OrganizationReport, ResourceUse } from "../../api/schema";
import { Button } from "../../components/button";
import { Page, PageHeader, Section, useTitle } from "../../components/page";
import { QueryView } from "../../components/query-view";
import { Stat, Stats } from "../../components/stat";
import { type Column, numberColumn, Table } from "../../components/table";
import { formatCount, formatFixedNumber } from "../../lib/numbers";
import { AddPersonDialog, PeopleTable } from "./people-section";

export function OrganizationPage() {
  const { organization } = useParams({ strict: false }) as { readonly organization: string };
  const report = useQuery(read("/api/organizations/{organization}", { organization }));
  useTitle(report.data?.name ?? "Organization");
  return (
    <Page>
      <QueryView query={report}>{(found) => <Report report={found} />}</QueryView>
    </Page>
  );
}

function Report({ report }: { readonly report: OrganizationReport }) {
  const [adding, setAdding] = useState(false);
  return (
    <>
      <PageHeader
        title={report.name}
        lead="An organization owns projects, and its limits apply to them. Access to a project requires a role in that project."
        actions={
          <Button variant="primary" onClick={() => setAdding(true)}>
            Add person
          </Button>
        }
      />
      <Section title="Limits">
        <Uses report={report} />
        <p className="soft-regular">
          The administrator of this server sets the limits. When a limit is reached, nothing is lost, but
          nothing can be added.
        </p>
      </Section>
      <Section title="People">
        <PeopleTable organization={report.slug} people={report.people} />
      </Section>
      <Section title="Projects">
        {report.projects.length === 0 ? (
          <p>
            No projects yet. Choose this organization for a new project, or move a project here on its
            Settings page.
          </p>
        ) : (
          <Table
            folds
            caption="Projects in the organization"
            columns={PROJECT_COLUMNS}
            rows={report.projects}
            rowKey={({ slug }) => slug}
          />
        )}
      </Section>
      {adding && <AddPersonDialog organization={report.slug} onClose={() => setAdding(false)} />}
    </>
  );
}

const NAMES: Readonly<Record<ResourceUse["resource"], readonly [string, string]>> = {
  projects: ["Open projects", "Archived projects do not count."],
  answers: [
    "Answers",
    "Imported answers in all projects, including archived ones. Matching answers to a question count once.",
  ],
  people: ["People", "In the organization or in one of its open projects. Each person counts once."],
};

function Uses({ report: { uses, spending } }: { readonly report: OrganizationReport }) {
  return (
    <Stats>
      {uses.map(({ resource, used, limit }) => (
        <Stat
          key={resource}
          name={NAMES[resource][0]}
          value={limit === null ? formatCount(used) : `${formatCount(used)} of ${formatCount(limit)}`}
        >
          {limit === null && "No limit. "}
          {NAMES[resource][1]}
        </Stat>
      ))}
      <Stat
        name={`Language models, ${spending.month}`}
        value={
          spending.limit_usd === null
            ? `${dollars(spending.used_usd)} USD`
            : `${dollars(spending.used_usd)} of ${dollars(spending.limit_usd)} USD`
        }
      >
        {spending.limit_usd === null && "No limit. "}
        Spent this calendar month (UTC), including calls in progress.
      </Stat>
    </Stats>
  );
}

/** Cents are enough beside a limit. */
function dollars(usd: string): string {
  return formatFixedNumber(Number(usd), 2);
}

const PROJECT_COLUMNS: readonly Column<OrganizationProject>[] = [
  { key: "name", header: "Project", value: ({ name }) => name },
  {
    key: "state",
    header: "Status",
    value: ({ state }) => state,
    cell: ({ state }) => (state === "archived" ? "Archived" : "Open"),
  },
  numberColumn("answers", "Answers", ({ answer_count }) => answer_count),
  numberColumn("people", "People", ({ people_count }) => people_count),
];
