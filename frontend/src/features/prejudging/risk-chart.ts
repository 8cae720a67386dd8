/** The chart of a certificate: how much would be settled against how much of it may be wrong. */
import type { CertificateLine } from "../../api/schema";
import { type Drawn, HALO, OVER_SCALE, type Plot } from "../../lib/chart-axes";

const HEIGHT = 260;

export function drawRisk(plot: Plot, width: number, { curve, alpha }: CertificateLine): Drawn {
  const points = curve
    .filter(({ labels }) => labels > 0)
    .map(({ settled_share, labels, errors, upper }) => ({
      settled: 100 * settled_share,
      found: (100 * errors) / labels,
      upper: 100 * upper,
    }));
  return plot.plot({
    width,
    height: HEIGHT,
    marginLeft: 52,
    marginBottom: 44,
    marginTop: OVER_SCALE,
    x: { domain: [0, 100], label: "Share settled (%)", labelAnchor: "center", labelArrow: "none" },
    y: {
      label: "Error rate (%)",
      labelArrow: "none",
      grid: true,
      zero: true,
      nice: true,
      // Where next to nothing is labelled the bound says nothing, and would flatten all else.
      domain: [0, Math.min(100, Math.max(2.5 * 100 * alpha, ...points.map(({ found }) => 1.5 * found)))],
      clamp: true,
    },
    marks: [
      plot.ruleY([100 * alpha], { stroke: "var(--danger)", strokeDasharray: "4 3" }),
      plot.text([alpha], {
        x: 0,
        y: 100 * alpha,
        text: () => "maximum error rate",
        textAnchor: "start",
        dx: 4,
        dy: -8,
        fill: "var(--ink)",
        ...HALO,
      }),
      plot.line(points, { x: "settled", y: "upper", stroke: "var(--chart-muted)", strokeWidth: 2 }),
      plot.dot(points, { x: "settled", y: "upper", r: 2.5, fill: "var(--chart-muted)" }),
      plot.line(points, { x: "settled", y: "found", stroke: "var(--chart-1)", strokeWidth: 2 }),
      plot.dot(points, { x: "settled", y: "found", r: 3, fill: "var(--chart-1)", stroke: "var(--paper)" }),
    ],
  });
}
