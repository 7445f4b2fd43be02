import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";

export interface ChartProps {
  readonly label: string;
  /** Numbers, or milliseconds since 1970 where `isTime`. */
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly isTime: boolean;
  /** How wide a bucket is, in the unit of `x`. */
  readonly width: number;
}

const HEIGHT = 260;

/** A bar chart over numbers or time. */
export function Chart({ label, x, y, isTime, width }: ChartProps): VNode {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current!;
    let plot: uPlot | undefined;
    const draw = (): void => {
      plot?.destroy();
      plot = new uPlot(optionsFor(element, isTime), dataOf(x, y, isTime, width), element);
    };
    draw();
    const observer = new ResizeObserver(() =>
      plot?.setSize({ width: element.clientWidth, height: HEIGHT }),
    );
    observer.observe(element);
    // Redraw when the theme changes.
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", draw);
    const themes = new MutationObserver(draw);
    themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => {
      observer.disconnect();
      themes.disconnect();
      scheme.removeEventListener("change", draw);
      plot?.destroy();
    };
  }, [x, y, isTime, width]);
  return <div ref={box} class="chart" role="img" aria-label={label} />;
}

function dataOf(
  x: readonly number[],
  y: readonly number[],
  isTime: boolean,
  width: number,
): uPlot.AlignedData {
  const unit = isTime ? 1000 : 1;
  // Empty buckets are missing in the response.
  const xs: number[] = [];
  const ys: number[] = [];
  for (const [index, at] of x.entries()) {
    xs.push(at / unit);
    ys.push(y[index]!);
  }
  if (xs.length === 1) {
    xs.push(xs[0]! + width / unit);
    ys.push(0);
  }
  return [xs, ys];
}

function optionsFor(element: HTMLElement, isTime: boolean): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (name: string): string => {
    const probe = document.createElement("span");
    probe.style.color = `var(--${name})`;
    element.append(probe);
    const found = getComputedStyle(probe).color;
    probe.remove();
    return found;
  };
  const axis = {
    stroke: colour("faint"),
    grid: { stroke: colour("line"), width: 1 },
    ticks: { stroke: colour("line"), width: 1 },
    font: `12px ${style.fontFamily}`,
  };
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: isTime }, y: { range: (_, __, most) => [0, Math.max(1, most * 1.08)] } },
    axes: [axis, { ...axis, size: 64 }],
    series: [
      {},
      {
        fill: colour("accent"),
        stroke: colour("accent"),
        width: 0,
        paths: uPlot.paths.bars!({ size: [0.92, 60], align: 1 }),
        points: { show: false },
      },
    ],
  };
}
