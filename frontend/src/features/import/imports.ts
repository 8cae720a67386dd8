/** Imports: files are handed over, and asked about while the server is at work on them. */
import { queryOptions } from "@tanstack/react-query";
import { describeFile, once } from "../../api/actions";
import { api, keyed, read } from "../../api/client";
import type { Import } from "../../api/schema";
import { isInWork } from "./states";

const ASK_AGAIN_AFTER = 700;

export function importQuery(slug: string, id: string) {
  return queryOptions({
    ...read("/api/projects/{slug}/imports/{id}", { slug, id }),
    refetchInterval: ({ state }) => (state.data && isInWork(state.data) ? ASK_AGAIN_AFTER : false),
  });
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
