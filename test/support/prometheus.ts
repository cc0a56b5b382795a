import assert from "node:assert/strict";
import { metricList } from "../../adapters/metrics/list.ts";

/** The samples of a text, by name and labels. Asserts that each metric has its meaning and type before its samples, each once. */
export function samplesOf(text: string): Map<string, number> {
  const samples = new Map<string, number>();
  const names = familiesOf(text);
  assert.deepEqual([...new Set(names)], names);
  assert.match(text, /^(?:[^\n]+\n)*$/);
  let name = "";
  for (const line of text.split("\n").slice(0, -1)) {
    const [, comment, named] = /^# (HELP|TYPE) (\w+) /.exec(line) ?? [];
    if (comment === "HELP") name = named!;
    if (comment !== undefined) {
      const { type, meaning } = metricList.find((metric) => metric.name === name)!;
      assert.equal(line, comment === "HELP" ? `# HELP ${name} ${meaning}` : `# TYPE ${name} ${type}`);
      continue;
    }
    const [, sample = "", suffixed = "", value] =
      /^((whodid_[a-z_]+)(?:\{[a-z]+="[^"\\]*"(?:,[a-z]+="[^"\\]*")*\})?) (\S+)$/.exec(line) ?? [];
    assert.ok([name, `${name}_bucket`, `${name}_sum`, `${name}_count`].includes(suffixed), line);
    const { labels } = metricList.find((metric) => metric.name === name)!;
    const given = Array.from(sample.matchAll(/([a-z]+)="/g), ([, label]) => label).filter((label) => label !== "le");
    assert.deepEqual(given, labels, line);
    assert.ok(Number(value) >= 0 && !samples.has(sample), line);
    samples.set(sample, Number(value));
  }
  return samples;
}

/** The names of the metrics of a text, in its order. */
export function familiesOf(text: string): string[] {
  return Array.from(text.matchAll(/^# TYPE (\w+) \w+$/gm), ([, name]) => name!);
}
