/** A chart drawn by Observable Plot, loaded only where one is shown. */
import { type CSSProperties, type ReactNode, type RefObject, useEffect, useRef } from "react";
import type { Drawn, Plot } from "../lib/chart-axes";
import { type ChartFile, onPaper, pngOf, standaloneChart } from "../lib/chart-file";
import { fileNameOf, saveFile } from "../lib/save-file";
import { Button } from "./button";
import { ChartKey, type KeyItem } from "./chart-key";
import styles from "./plot-figure.module.css";
import { useProjectSlug } from "./project-link";
import { useToast } from "./toast";

interface PlotFigureProps<Of> {
  /** What is shown, over the chart and as the name of its saved file. */
  readonly title: string;
  /** Of how many it is; a table of the same numbers stands beside or below. */
  readonly note: ReactNode;
  /** What its marks stand for, where the chart itself does not name them. */
  readonly marks?: readonly KeyItem[];
  /** What the chart says, for those who do not see it; the title unless told. */
  readonly label?: string;
  /** A function of a module, and what it draws: kept stable, since a change of either draws anew. */
  readonly draw: (plot: Plot, width: number, of: Of) => Drawn;
  readonly of: Of;
  /** Holds the place while the library loads, in rem; the other of a chart that is narrower than `NARROW`. */
  readonly height?: number;
  readonly narrowHeight?: number;
  /** Lies over the picture, for what in it can be reached one by one. */
  readonly children?: ReactNode;
}

/** The library's own is 10, and what stands on a chart is read as much as what stands beside it. */
const TEXT_SIZE = 12;

function legible(chart: Drawn): Drawn {
  const pictures = chart.matches("svg") ? [chart] : [...chart.querySelectorAll("svg")];
  for (const picture of pictures) picture.setAttribute("font-size", String(TEXT_SIZE));
  return chart;
}

/**
 * The security policy allows no style elements; what Plot's would say stands in our style sheet. The whole
 * chart is one picture with one label, so its parts carry none.
 */
function asOnePicture(chart: Drawn): Drawn {
  for (const element of chart.querySelectorAll("style")) element.remove();
  for (const element of chart.querySelectorAll("[aria-label]")) {
    element.setAttribute("data-part", element.getAttribute("aria-label") ?? "");
    element.removeAttribute("aria-label");
  }
  return chart;
}

export function PlotFigure<Of>(props: PlotFigureProps<Of>) {
  const { title, note, marks, label = title, draw, of, height = 20, children } = props;
  const { narrowHeight = height } = props;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    let plot: Plot | null = null;
    let drawnWidth = 0;
    const redraw = () => {
      const width = Math.floor(element.clientWidth);
      if (!plot || width === 0 || width === drawnWidth) return;
      drawnWidth = width;
      element.replaceChildren(asOnePicture(legible(draw(plot, width, of))));
    };
    const observer = new ResizeObserver(redraw);
    observer.observe(element);
    void import("@observablehq/plot").then((library) => {
      plot = library;
      redraw();
    });
    return () => observer.disconnect();
  }, [draw, of]);
  return (
    <ChartFrame {...{ title, note, marks, label }} draw={(plot, width) => draw(plot, width, of)}>
      <div className={styles["place"]}>
        <div
          ref={place}
          role="img"
          aria-label={label}
          className={styles["figure"]}
          style={{ "--height": `${height}rem`, "--narrow-height": `${narrowHeight}rem` } as CSSProperties}
        />
        {children}
      </div>
    </ChartFrame>
  );
}

interface ChartFrameProps extends Pick<ChartDownloadProps, "draw"> {
  readonly title: string;
  readonly note: ReactNode;
  readonly marks?: readonly KeyItem[] | undefined;
  readonly label?: string;
  /** The chart, or what stands for it on the page, such as a table with bars. */
  readonly children: ReactNode;
}

export function ChartFrame({ title, note, marks = [], label = title, draw, children }: ChartFrameProps) {
  const frame = useRef<HTMLElement>(null);
  return (
    <figure ref={frame} className={styles["chart"]}>
      <figcaption className={styles["caption"]}>
        <strong>{title}</strong> <span className="soft">{note}</span> <ChartKey items={marks} />
      </figcaption>
      {children}
      <ChartDownload label={label} draw={draw} frame={frame} />
    </figure>
  );
}

const PAPER_WIDTH = 760;

interface ChartDownloadProps {
  readonly label: string;
  readonly draw: (plot: Plot, width: number) => Drawn;
  /** Its caption says title and number. */
  readonly frame: RefObject<HTMLElement | null>;
}

/**
 * The caption's strong words are the title and all others the note, but for those about the page; without a
 * caption the label says it.
 */
function wordsAround(frame: HTMLElement | null, label: string) {
  const caption = frame?.querySelector("figcaption")?.cloneNode(true);
  if (!(caption instanceof Element)) return { title: label, note: "" };
  for (const element of caption.querySelectorAll("[data-screen-only]")) element.remove();
  const title = caption.querySelector("strong");
  title?.remove();
  const note = caption.textContent.replace(/\s+/g, " ").replace(/^[\s,.:;·]+/, "");
  return { title: title?.textContent.trim() || label, note: note.trim() };
}

function ChartDownload({ label, draw, frame }: ChartDownloadProps) {
  const slug = useProjectSlug();
  const toast = useToast();
  const write = async (): Promise<[string, ChartFile]> => {
    const plot = await import("@observablehq/plot");
    const words = wordsAround(frame.current, label);
    const origin = `Assay, ${location.pathname}${location.search}, ${new Date().toISOString()}`;
    const chart = legible(draw(plot, PAPER_WIDTH));
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
          atEdge={kind === "svg"}
          aria-label={`${kind.toUpperCase()}: ${label}`}
          onClick={() =>
            void save(kind).catch(() =>
              toast({ text: "Could not save the chart. Try again.", tone: "error" }),
            )
          }
        >
          {kind.toUpperCase()}
        </Button>
      ))}
    </div>
  );
}
