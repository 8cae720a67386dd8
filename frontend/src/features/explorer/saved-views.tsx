/** The saved views of the table, above it: each opens by an address of its own; who may renames and deletes it. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { del, keyOf, patch, post, read } from "../../api/client";
import type { SavedView } from "../../api/schema";
import { useProject } from "../../api/project";
import { Button, CopyButton } from "../../components/button";
import { ConfirmDialog, FormDialog } from "../../components/dialog";
import { Menu } from "../../components/menu";
import { TextField } from "../../components/form";
import { useWrite } from "../../components/use-write";
import type { SearchState } from "../../lib/search-state";
import styles from "./explorer.module.css";
import { isSameView, VIEW, viewOf } from "./views";

const VIEWS = "/api/projects/{slug}/answer-views";
const ONE_VIEW = "/api/projects/{slug}/answer-views/{view}";

type Opened = "save" | "rename" | "delete";

export function SavedViews({ search }: { readonly search: SearchState }) {
  const { slug, state, role } = useProject();
  const isKept = state === "archived" || role === "viewer";
  const { data: views } = useQuery(read(VIEWS, { slug }));
  const [dialog, setDialog] = useState<Opened | null>(null);
  if (views === undefined || (views.length === 0 && role === "viewer")) return null;
  const open = views.find(({ id }) => id === search.read(VIEW));
  const close = () => setDialog(null);
  return (
    <section aria-label="Saved views" className={styles["views"]}>
      <span className="soft">Saved views</span>
      {views.length > 0 && (
        <ul>
          {views.map((view) => (
            <li key={view.id}>
              <ViewLink slug={slug} view={view} isOpen={view === open} />
              {view === open && view.may_change && !isKept && (
                <Menu label={`Change “${view.name}”`}>
                  <Button size="small" variant="quiet" onClick={() => setDialog("rename")}>
                    Rename
                  </Button>
                  <Button size="small" variant="quiet" onClick={() => setDialog("delete")}>
                    Delete
                  </Button>
                </Menu>
              )}
            </li>
          ))}
        </ul>
      )}
      {open && <OpenView view={open} search={search} isKept={isKept} />}
      {!isKept && (
        <Button size="small" onClick={() => setDialog("save")}>
          Save view
        </Button>
      )}
      {dialog === "save" && <SaveDialog search={search} onClose={close} />}
      {dialog === "rename" && open && <RenameDialog view={open} onClose={close} />}
      {dialog === "delete" && open && <DeleteDialog view={open} search={search} onClose={close} />}
    </section>
  );
}

interface ViewLinkProps {
  readonly slug: string;
  readonly view: SavedView;
  readonly isOpen: boolean;
}

function ViewLink({ slug, view, isOpen }: ViewLinkProps) {
  return (
    <Link
      to={`/${slug}/answers/views/${view.id}` as "/"}
      className={styles["view"] ?? ""}
      aria-current={isOpen || undefined}
      title={`Saved by ${view.by}`}
    >
      <span dir="auto">{view.name}</span>
    </Link>
  );
}

interface OpenViewProps {
  readonly view: SavedView;
  readonly search: SearchState;
  /** Nothing is changed in an archived project, nor by viewers. */
  readonly isKept: boolean;
}

/** What can be done with the view that is open. */
function OpenView({ view, search, isKept }: OpenViewProps) {
  const { slug } = useProject();
  const query = viewOf(search);
  const save = useWrite(() => patch(ONE_VIEW, { slug, view: view.id }, { query }), {
    stale: [keyOf(VIEWS, { slug })],
    note: `“${view.name}” updated.`,
    refusal: "note",
  });
  const isChanged = !isSameView(query, view.query);
  return (
    <>
      {isChanged && !isKept && <span className="soft">Unsaved changes</span>}
      {isChanged && view.may_change && !isKept && (
        <Button size="small" busy={save.isPending} onClick={() => save.mutate()}>
          Save changes
        </Button>
      )}
      <CopyButton text={`${window.location.origin}/${slug}/answers/views/${view.id}`} name="link" />
    </>
  );
}

interface DialogProps {
  readonly onClose: () => void;
}

interface OfViewProps extends DialogProps {
  readonly view: SavedView;
}

interface OfSearchProps extends DialogProps {
  readonly search: SearchState;
}

function SaveDialog({ search, onClose }: OfSearchProps) {
  const { slug } = useProject();
  const [name, setName] = useState("");
  const save = useWrite(() => post(VIEWS, { slug }, { name: name.trim(), query: viewOf(search) }), {
    stale: [keyOf(VIEWS, { slug })],
    note: "View saved.",
    onDone: ({ id }) => {
      search.write({ [VIEW]: id });
      onClose();
    },
  });
  return (
    <FormDialog
      title="Save view"
      action="Save view"
      cancel="Cancel"
      write={save}
      isReady={name.trim() !== ""}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <p>
        A view saves filters, columns, and order. Leads, adjudicators, and viewers of this project can open
        it.
      </p>
      <TextField data-autofocus label="Name" maxLength={100} value={name} onChange={setName} />
    </FormDialog>
  );
}

function RenameDialog({ view, onClose }: OfViewProps) {
  const { slug } = useProject();
  const [name, setName] = useState(view.name);
  const rename = useWrite(() => patch(ONE_VIEW, { slug, view: view.id }, { name: name.trim() }), {
    stale: [keyOf(VIEWS, { slug })],
    onDone: onClose,
  });
  return (
    <FormDialog
      title={`Rename “${view.name}”`}
      action="Rename"
      cancel="Cancel"
      write={rename}
      isReady={name.trim() !== ""}
      onSubmit={() => rename.mutate()}
      onClose={onClose}
    >
      <TextField
        data-autofocus
        label="Name"
        hint="The link stays the same."
        maxLength={100}
        value={name}
        onChange={setName}
      />
    </FormDialog>
  );
}

function DeleteDialog({ view, search, onClose }: OfViewProps & OfSearchProps) {
  const { slug } = useProject();
  return (
    <ConfirmDialog
      title={`Delete “${view.name}”?`}
      confirm="Delete view"
      onConfirm={async () => {
        await del(ONE_VIEW, { slug, view: view.id });
        search.write({ [VIEW]: undefined });
      }}
      stale={[keyOf(VIEWS, { slug })]}
      note="View deleted."
      onClose={onClose}
    >
      <p>Links to this view will stop working. No answers are deleted.</p>
    </ConfirmDialog>
  );
}
