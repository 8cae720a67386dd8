/** Imports: files are handed over, and asked about while the server is at work on them. */
import { queryOptions } from "@tanstack/react-query";
import { describeFile, once } from "../../api/actions";
import { api, keyed, read } from "../../api/client";
import type { Import, ImportFormat } from "../../api/schema";
import { isInWork } from "./states";

const SOONEST = 150;
const LATEST = 700;

export function importQuery(slug: string, id: string) {
  return queryOptions({
    ...read("/api/projects/{slug}/imports/{id}", { slug, id }),
    refetchInterval: (query) => askAgainAfter(query),
  });
}

interface Asked {
  readonly state: { readonly data?: Pick<Import, "state"> | undefined; readonly dataUpdatedAt: number };
}

/** Since when each import has been in the state it is in, by this browser's clock. */
const begun = new WeakMap<Asked, { readonly in: Import["state"]; readonly at: number }>();

/** Soon at first, then after a tenth of the time that the work has taken so far. */
export function askAgainAfter(query: Asked): number | false {
  const { data, dataUpdatedAt: at } = query.state;
  if (!data || !isInWork(data)) return false;
  const known = begun.get(query);
  const since = known?.in === data.state ? known.at : at;
  begun.set(query, { in: data.state, at: since });
  return Math.min(LATEST, Math.max(SOONEST, (at - since) / 10));
}

interface ImportUpload {
  readonly files: readonly File[];
  readonly format?: string;
  readonly options?: Record<string, unknown>;
}

function formOf(upload: ImportUpload): FormData {
  const form = new FormData();
  for (const file of upload.files) form.append("files", file, file.name);
  if (upload.format !== undefined) form.append("format", upload.format);
  form.append("options", JSON.stringify(upload.options ?? {}));
  return form;
}

/** On pages, systems have short names. Votes and verdicts bring no systems; an open format is no reason not to ask. */
export function usualOptions(key: string, formats: readonly ImportFormat[] = []): Record<string, string> {
  const chosen = formats.find((format) => format.key === key);
  const isTaken = key === "" || chosen?.options.some(({ name }) => name === "system_names");
  return isTaken ? { system_names: "shortened" } : {};
}

/** Hands files over to be checked; nothing is stored before the import is confirmed. */
export function startImport(slug: string, upload: ImportUpload): Promise<Import> {
  // The form is built here, since the described body names the parts and not their encoding.
  const form = formOf(upload);
  const { files, ...rest } = upload;
  return once(JSON.stringify(["imports", slug, files.map(describeFile), rest]), async (key) => {
    const { data } = await api.POST("/api/projects/{slug}/imports", {
      params: { path: { slug } },
      body: { files: files.map((file) => file.name) },
      bodySerializer: () => form,
      headers: keyed(key),
    });
    return data as Import;
  });
}
