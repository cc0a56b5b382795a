import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";

const heightPx = 160;
const smallHeightPx = 48;

interface PlotProps {
  label: string;
  /** The starts of the bars in seconds since the Unix epoch, evenly apart. */
  times: readonly number[];
  /** `null` where nothing is known. */
  counts: readonly (number | null)[];
  /** Whether to draw the bars alone, and low. */
  isSmall?: boolean;
}

/** Bars over time. */
export function Plot({ label, times, counts, isSmall = false }: PlotProps) {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = container.current!;
    let plot: uPlot | null = null;
    const draw = (): void => {
      plot?.destroy();
      plot = new uPlot(optionsFor(element, times, isSmall), [[...times], [...counts]], element);
    };
    draw();
    const resized = new ResizeObserver(() => plot?.setSize(sizeOf(element, isSmall)));
    resized.observe(element);
    // The canvas does not follow the colours of the page by itself.
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", draw);
    return () => {
      resized.disconnect();
      dark.removeEventListener("change", draw);
      plot?.destroy();
    };
  }, [times, counts, isSmall]);
  return <div ref={container} class={isSmall ? "plot small" : "plot"} role="img" aria-label={label} />;
}

const daySeconds = 86_400;
const day = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", timeZone: "UTC" });
const month = new Intl.DateTimeFormat("en", { month: "short", year: "numeric", timeZone: "UTC" });
const year = new Intl.DateTimeFormat("en", { year: "numeric", timeZone: "UTC" });

/** The words under the plot. `apart` is the number of seconds between two times. */
function timeWords(seconds: readonly number[], apart: number): string[] {
  const format = apart < 28 * daySeconds ? day : apart < 365 * daySeconds ? month : year;
  return seconds.map((second) => format.format(second * 1_000));
}

const short = new Intl.NumberFormat("en", { notation: "compact" });
/** The distances between the lines: whole numbers, because there is no half event. */
const steps = Array.from({ length: 12 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();

function sizeOf(element: Element, isSmall: boolean): Pick<uPlot.Options, "width" | "height"> {
  return { width: element.clientWidth, height: isSmall ? smallHeightPx : heightPx };
}

function optionsFor(element: Element, times: readonly number[], isSmall: boolean): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const axis = {
    show: !isSmall,
    stroke: colour("--muted"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { show: false },
  };
  // The last bar is as wide as the one before it.
  const barSeconds = times.at(-1)! - (times.at(-2) ?? times.at(-1)! - daySeconds);
  return {
    ...sizeOf(element, isSmall),
    // Days begin in UTC, as the exact times say.
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), "Etc/UTC"),
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { range: (_, min, max) => [min, max + barSeconds] },
      y: { range: (_, __, max) => [0, Math.max(max, 1)] },
    },
    axes: [
      {
        ...axis,
        size: 28,
        space: 64,
        grid: { show: false },
        values: (_, splits, __, ___, apart) => timeWords(splits, apart),
      },
      { ...axis, size: 40, incrs: steps, values: (_, splits) => splits.map((count) => short.format(count)) },
    ],
    series: [
      {},
      {
        fill: colour("--accent"),
        width: 0,
        points: { show: false },
        paths: uPlot.paths.bars!({ size: [0.7, 40], align: 1 }),
      },
    ],
  };
}
