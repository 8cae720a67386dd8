/** A rater's own judgments: what was said of which answer, and changing one's mind about it. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read } from "../../api/client";
import type { PastPage } from "../../api/contract";
import { useProject } from "../../api/project";
import { EmptyState } from "../../components/empty-state";
import { EntryList } from "../../components/entry-list";
import { Page } from "../../components/page";
import { PageHeader } from "../../components/page-header";
import { Pagination } from "../../components/pagination";
import { ProjectButtonLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { SearchForm } from "../../components/search-form";
import { plural, t } from "../../lib/i18n/t";
import { type SearchState, useSearchState } from "../../lib/search-state";
import { useTitle } from "../../lib/title";
import { EditDialog, type Editing } from "./edit-dialog";
import { PastSheetEntry } from "./past-sheet-entry";

export function JudgedPage() {
  const project = useProject();
  useTitle(t("Your judgments"), project.name);
  const search = useSearchState();
  const text = search.read("search");
  const filter = { page: search.readNumber("page", 1), ...(text && { search: text }) };
  const query = useQuery({
    ...read("/api/projects/{slug}/judged", { slug: project.slug }, filter),
    // Every visit reads it anew: sheets are handed in between.
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
  const isNew = query.data?.count === 0 && text === undefined;
  return (
    <Page width="reading">
      <PageHeader
        title={t("Your judgments")}
        lead={
          query.data &&
          !isNew &&
          plural(query.data.count, "{count} sheet, newest first", "{count} sheets, newest first")
        }
      />
      {!isNew && <SearchForm search={search} label={t("Search your questions")} />}
      <QueryView query={query}>
        {(found) => (found.count === 0 ? <Nothing isNew={isNew} /> : <Found found={found} search={search} />)}
      </QueryView>
    </Page>
  );
}

function Found({ found, search }: { readonly found: PastPage; readonly search: SearchState }) {
  const project = useProject();
  const [editing, setEditing] = useState<Editing | null>(null);
  return (
    <>
      <EntryList>
        {found.sheets.map((sheet) => (
          <PastSheetEntry
            key={sheet.id}
            sheet={sheet}
            labels={project.labels}
            onChange={(answer) => setEditing({ sheet, answer })}
          />
        ))}
      </EntryList>
      <Pagination
        label={t("Pages of your judgments")}
        page={found.page}
        pageCount={found.page_count}
        onChange={(page) => search.write({ page: page === 1 ? undefined : page })}
      />
      {editing && <EditDialog project={project} editing={editing} onClose={() => setEditing(null)} />}
    </>
  );
}

function Nothing({ isNew }: { readonly isNew: boolean }) {
  if (!isNew) {
    return (
      <EmptyState
        title={t("No question fits")}
        action={<ProjectButtonLink page="judged">{t("Show all")}</ProjectButtonLink>}
      >
        <p>{t("Try fewer or other words; the search looks into the questions.")}</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={t("What you have judged will be found here")}
      action={
        <ProjectButtonLink page="judge" variant="primary">
          {t("Judge answers")}
        </ProjectButtonLink>
      }
    >
      <p>{t("You can look back at each sheet and change what you said.")}</p>
    </EmptyState>
  );
}
