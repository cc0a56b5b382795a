import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";

const heightPx = 160;

/** Bars over time. `times` are the starts of the bars in seconds since the Unix epoch, evenly apart. */
export function Plot({ label, times, counts }: { label: string; times: readonly number[]; counts: readonly number[] }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current!;
    let plot: uPlot | null = null;
    const draw = (): void => {
      plot?.destroy();
      plot = new uPlot(optionsFor(element), [[...times], [...counts]], element);
    };
    draw();
    const resized = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height: heightPx }));
    resized.observe(element);
    // The canvas does not follow the colours of the page by itself.
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", draw);
    return () => {
      resized.disconnect();
      dark.removeEventListener("change", draw);
      plot?.destroy();
    };
  }, [times, counts]);
  return <div ref={place} class="plot" role="img" aria-label={label} />;
}

function optionsFor(element: Element): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const axis = { stroke: colour("--muted"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false } };
  return {
    width: element.clientWidth,
    height: heightPx,
    legend: { show: false },
    cursor: { show: false },
    scales: { y: { range: (_, __, max) => [0, Math.max(max, 1)] } },
    axes: [axis, { ...axis, size: 40, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000] }],
    series: [
      {},
      { fill: colour("--accent"), width: 0, points: { show: false }, paths: uPlot.paths.bars!({ size: [0.7, 40] }) },
    ],
  };
}
