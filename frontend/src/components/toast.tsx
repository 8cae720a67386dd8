/** Short notes about what was done, with the way back where there is one. */
import {
  createContext,
  type CSSProperties,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { t } from "../lib/i18n/t";
import { Button } from "./button";
import styles from "./toast.module.css";

interface Note {
  readonly text: string;
  readonly tone?: "info" | "error";
  readonly action?: { readonly name: string; readonly run: () => void };
}

interface ShownNote extends Note {
  readonly id: number;
  /** Of the page that says it. */
  readonly lang: string | undefined;
  /** Where the page begins below its navigation, in pixels of the window; 0 where that was scrolled away. */
  readonly top: number;
}

type ShowToast = (note: Note) => void;

const ToastContext = createContext<ShowToast>(() => undefined);

const SHOWN_MS = 6_000;

export function useToast(): ShowToast {
  return useContext(ToastContext);
}

export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [note, setNote] = useState<ShownNote | null>(null);
  const count = useRef(0);
  const show = useCallback<ShowToast>((next) => {
    count.current += 1;
    const page = document.getElementById("main");
    const top = Math.max(0, page?.getBoundingClientRect().top ?? 0);
    setNote({ ...next, id: count.current, lang: page?.lang, top });
  }, []);
  const close = useCallback(() => setNote(null), []);
  return (
    <ToastContext value={show}>
      {children}
      <div
        className={styles["place"]}
        role="status"
        aria-live="polite"
        style={{ "--page-top": `${note?.top ?? 0}px` } as CSSProperties}
      >
        {note && <Toast key={note.id} note={note} onClose={close} />}
      </div>
    </ToastContext>
  );
}

function Toast({ note, onClose }: { readonly note: ShownNote; readonly onClose: () => void }) {
  // Errors wait to be read; the rest leaves by itself.
  const leaves = useMemo(() => note.tone !== "error", [note.tone]);
  useEffect(() => {
    if (!leaves) return;
    const timer = setTimeout(onClose, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [leaves, onClose]);
  return (
    <div className={styles["toast"]} data-tone={note.tone ?? "info"}>
      <p lang={note.lang || undefined}>{note.text}</p>
      {note.action && (
        <Button
          size="small"
          onClick={() => {
            note.action?.run();
            onClose();
          }}
        >
          {note.action.name}
        </Button>
      )}
      <Button size="small" variant="quiet" onClick={onClose}>
        {t("Close")}
      </Button>
    </div>
  );
}
