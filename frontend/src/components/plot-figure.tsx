/** A chart drawn by Observable Plot, loaded only where one is shown. */
import type * as Plot from "@observablehq/plot";
import { type ReactNode, useEffect, useRef } from "react";
import { ChartDownload } from "./chart-download";
import styles from "./plot-figure.module.css";

type PlotLibrary = typeof Plot;

interface PlotFigureProps {
  /** What is shown, over the chart and as the name of its saved file. */
  readonly title: string;
  /** Of how many and what its marks mean; a table of the same numbers stands beside or below. */
  readonly note: ReactNode;
  /** What the chart says, for those who do not see it; the title unless told. */
  readonly label?: string;
  /** Keep the function stable (useCallback), it redraws when it changes. */
  readonly draw: (plot: PlotLibrary, width: number) => HTMLElement | SVGElement;
  /** Holds the place while the library loads, in rem. */
  readonly height?: number;
}

/**
 * The security policy allows no style elements; what Plot's would say stands in our style sheet. The whole
 * chart is one picture with one label, so its parts carry none.
 */
function asOnePicture(chart: HTMLElement | SVGElement): HTMLElement | SVGElement {
  for (const element of chart.querySelectorAll("style")) element.remove();
  for (const element of chart.querySelectorAll("[aria-label]")) {
    element.setAttribute("data-part", element.getAttribute("aria-label") ?? "");
    element.removeAttribute("aria-label");
  }
  return chart;
}

export function PlotFigure({ title, note, label = title, draw, height = 20 }: PlotFigureProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    let plot: PlotLibrary | null = null;
    let drawnWidth = 0;
    const redraw = () => {
      const width = Math.floor(element.clientWidth);
      if (!plot || width === 0 || width === drawnWidth) return;
      drawnWidth = width;
      element.replaceChildren(asOnePicture(draw(plot, width)));
    };
    const observer = new ResizeObserver(redraw);
    observer.observe(element);
    void import("@observablehq/plot").then((library) => {
      plot = library;
      redraw();
    });
    return () => observer.disconnect();
  }, [draw]);
  return (
    <figure className={styles["chart"]}>
      <figcaption className={styles["caption"]}>
        <strong>{title}</strong> <span className={styles["note"]}>{note}</span>
      </figcaption>
      <div
        ref={place}
        role="img"
        aria-label={label}
        className={styles["figure"]}
        style={{ minHeight: `${height}rem` }}
      />
      <ChartDownload label={label} draw={draw} place={place} />
    </figure>
  );
}
