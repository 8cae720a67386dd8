/** Hands files over to be checked; nothing is stored before the import is confirmed. */
import { api, unwrap } from "../client";
import type { Import } from "../contract";

export interface ImportUpload {
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

export async function startImport(slug: string, upload: ImportUpload): Promise<Import> {
  // The form is built here, since the described body names the parts and not their encoding.
  const form = formOf(upload);
  return unwrap(
    api.POST("/api/projects/{slug}/imports", {
      params: { path: { slug } },
      body: { files: upload.files.map((file) => file.name) },
      bodySerializer: () => form,
    }),
  );
}
