import type { Finding } from "./evidence.ts";
import type { Rows } from "./rows.ts";

/** All nodes of a cluster have the same events and summaries. */
export function checkNodes(nodes: readonly Rows[]): Finding[] {
  const texts = nodes.map(
    ({ events, summaries }) => new Set([...events, ...summaries].map((row) => JSON.stringify(row))),
  );
  const everywhere = new Set(texts.flatMap((of) => [...of]));
  return [...everywhere].flatMap((text) => {
    const having = texts.flatMap((of, index) => (of.has(text) ? [index + 1] : []));
    return having.length === nodes.length
      ? []
      : [{ text: `only node ${having.join(" and ")} has ${text}`, callIds: [] }];
  });
}
