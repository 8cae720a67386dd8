/** Takes files by dropping, choosing or pasting. */
import { type DragEvent, useId, useState } from "react";
import styles from "./file-drop.module.css";

interface FileDropProps {
  readonly label: string;
  readonly hint: string;
  readonly accept?: string;
  readonly multiple?: boolean;
  readonly onFiles: (files: File[]) => void;
}

export function FileDrop({ label, hint, accept, multiple = true, onFiles }: FileDropProps) {
  const id = useId();
  const [over, setOver] = useState(false);
  const take = (files: FileList | null) => {
    if (files && files.length > 0) onFiles([...files]);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files);
  };
  return (
    <label
      htmlFor={id}
      className={styles["drop"]}
      data-over={over}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <span className={styles["label"]}>{label}</span>
      <span className="soft">{hint}</span>
      <input
        id={id}
        type="file"
        className="visually-hidden"
        accept={accept}
        multiple={multiple}
        onChange={(event) => {
          take(event.target.files);
          // The same file can be chosen again after it was mended.
          event.target.value = "";
        }}
      />
    </label>
  );
}
