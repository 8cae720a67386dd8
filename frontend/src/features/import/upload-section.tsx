/** Where files are dropped; they are checked at once. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { read } from "../../api/client";
import { messageOf } from "../../api/error";
import { importQuery } from "../../api/imports";
import { startImport } from "../../api/imports";
import { Select } from "../../components/field";
import { FileDrop } from "../../components/file-drop";
import { Notice } from "../../components/notice";
import { ProgressBar } from "../../components/progress-bar";
import { formatBytes } from "../../lib/numbers";
import styles from "./import.module.css";

interface UploadSectionProps {
  readonly slug: string;
  readonly onStarted: (id: string) => void;
}

const ENDINGS = ".jsonl,.json,.csv,.tsv,.txt";

export function UploadSection({ slug, onStarted }: UploadSectionProps) {
  const queryClient = useQueryClient();
  const formats = useQuery({ ...read("/api/projects/{slug}/import-formats", { slug }), staleTime: Infinity });
  const [format, setFormat] = useState("");
  const upload = useMutation({
    mutationFn: (files: readonly File[]) => startImport(slug, { files, ...(format && { format }) }),
    onSuccess: (started) => {
      queryClient.setQueryData(importQuery(slug, started.id).queryKey, started);
      void queryClient.invalidateQueries({
        queryKey: read("/api/projects/{slug}/imports", { slug }).queryKey,
      });
      onStarted(started.id);
    },
  });
  const size = upload.variables?.reduce((sum, file) => sum + file.size, 0);
  return (
    <div className={styles["upload"]}>
      {upload.isPending ? (
        <div className={styles["sending"]}>
          <ProgressBar label="Sending files" done={0} total={null} note={`Sending ${formatBytes(size)}`} />
        </div>
      ) : (
        <FileDrop
          label="Drop files here, or choose them"
          hint="JSONL, JSON, CSV or TSV; several at once. Name a file of answers after the system that gave them."
          accept={ENDINGS}
          onFiles={(files) => upload.mutate(files)}
        />
      )}
      {upload.isError && (
        <Notice tone="danger" title={messageOf(upload.error)}>
          <p>Nothing was stored.</p>
        </Notice>
      )}
      <Select label="Form of the files" value={format} onChange={(event) => setFormat(event.target.value)}>
        <option value="">Find out from the file (usual)</option>
        {formats.data?.map((option) => (
          <option key={option.key} value={option.key}>
            {option.name}
          </option>
        ))}
      </Select>
    </div>
  );
}
