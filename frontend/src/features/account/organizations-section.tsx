/** The organizations that one is in, if any: the way to them for owners, and out of them for everybody. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { del, keyOf, read } from "../../api/client";
import type { OrganizationPlace } from "../../api/schema";
import { Button } from "../../components/button";
import { ConfirmDialog } from "../../components/dialog";
import { Section } from "../../components/page";
import { type Column, Table } from "../../components/table";
import { t } from "../../lib/i18n/t";

export function OrganizationsSection() {
  const { data: places = [] } = useQuery(read("/api/organizations"));
  const [leaving, setLeaving] = useState<OrganizationPlace | null>(null);
  if (places.length === 0 && !leaving) return null;
  return (
    <Section title={t("Organizations")}>
      <p>
        {t(
          "An organization’s limits apply to its projects. Belonging to an organization does not give you access to its projects.",
        )}
      </p>
      <Table
        caption={t("Your organizations")}
        columns={columnsFor(setLeaving)}
        rows={places}
        rowKey={({ slug }) => slug}
      />
      {leaving && (
        <ConfirmDialog
          title={t("Leave {organization}?", { organization: leaving.name })}
          confirm={t("Leave")}
          onConfirm={() =>
            del("/api/organizations/{organization}/people/{member_id}", {
              organization: leaving.slug,
              member_id: leaving.member_id,
            })
          }
          stale={[keyOf("/api/organizations")]}
          onClose={() => setLeaving(null)}
        >
          <p>{t("You stay in your projects. To rejoin, ask an owner of the organization.")}</p>
        </ConfirmDialog>
      )}
    </Section>
  );
}

function columnsFor(leave: (place: OrganizationPlace) => void): Column<OrganizationPlace>[] {
  return [
    {
      key: "name",
      header: t("Organization"),
      value: ({ name }) => name,
      cell: ({ slug, name, role }) =>
        role === "owner" ? (
          <Link to="/account/organizations/$organization" params={{ organization: slug }}>
            {name}
          </Link>
        ) : (
          name
        ),
    },
    {
      key: "role",
      header: t("Role"),
      cell: ({ role }) => (role === "owner" ? t("Owner") : t("Member")),
    },
    {
      key: "leave",
      header: t("Actions"),
      align: "end",
      cell: (place) => (
        <Button
          size="small"
          aria-label={t("Leave {organization}", { organization: place.name })}
          onClick={() => leave(place)}
        >
          {t("Leave")}
        </Button>
      ),
    },
  ];
}
