/** Saves a chart as a picture for a paper: on white, in light colors, of one width on every screen. */
import type * as Plot from "@observablehq/plot";
import type { RefObject } from "react";
import { type ChartFile, pngOf, standaloneChart } from "../lib/chart-file";
import { onPaper } from "../lib/plain-color";
import { fileNameOf, saveFile } from "../lib/save-file";
import { Button } from "./button";
import { useProjectSlug } from "./project-link";
import { useToast } from "./toast";
import styles from "./plot-figure.module.css";

const PAPER_WIDTH = 760;

interface ChartDownloadProps {
  readonly label: string;
  readonly draw: (plot: typeof Plot, width: number) => Element;
  /** Where the chart stands: a figure around it says title and number in its caption. */
  readonly place: RefObject<HTMLElement | null>;
}

/**
 * The caption's strong words are the title and all others the note, but for those about the page; without a
 * caption the label says it.
 */
function wordsAround(place: HTMLElement | null, label: string) {
  const caption = place?.closest("figure")?.querySelector("figcaption")?.cloneNode(true);
  if (!(caption instanceof Element)) return { title: label, note: "" };
  for (const element of caption.querySelectorAll("[data-screen-only]")) element.remove();
  const title = caption.querySelector("strong");
  title?.remove();
  const note = caption.textContent.replace(/\s+/g, " ").replace(/^[\s,.:;·]+/, "");
  return { title: title?.textContent.trim() || label, note: note.trim() };
}

export function ChartDownload({ label, draw, place }: ChartDownloadProps) {
  const slug = useProjectSlug();
  const toast = useToast();
  const write = async (): Promise<[string, ChartFile]> => {
    const plot = await import("@observablehq/plot");
    const words = wordsAround(place.current, label);
    const origin = `Assay, ${location.pathname}${location.search}, ${new Date().toISOString()}`;
    const chart = draw(plot, PAPER_WIDTH);
    const file = onPaper((colorOf) => standaloneChart(chart, { ...words, origin }, colorOf));
    return [fileNameOf(slug, words.title), file];
  };
  const save = async (kind: "svg" | "png") => {
    const [name, file] = await write();
    const content = kind === "png" ? await pngOf(file) : new Blob([file.text], { type: "image/svg+xml" });
    saveFile(`${name}.${kind}`, content);
  };
  return (
    <div className={styles["downloads"]}>
      {(["svg", "png"] as const).map((kind) => (
        <Button
          key={kind}
          size="small"
          variant="quiet"
          aria-label={`${kind.toUpperCase()}: ${label}`}
          onClick={() =>
            void save(kind).catch(() => toast({ text: "The picture could not be made.", tone: "error" }))
          }
        >
          {kind.toUpperCase()}
        </Button>
      ))}
    </div>
  );
}
