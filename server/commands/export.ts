import { once } from "node:events";
import { exportContact } from "../../lib/exports/contact.ts";
import { exportContacts, exportEvents, type ExportRequest } from "../../lib/exports/all.ts";
import type { Scope } from "../../lib/scope.ts";
import { formatCount, formatSeconds, tellProgress } from "../progress.ts";
import { readDay } from "../settings.ts";
import { onScope, readAction } from "./database-command.ts";

const streams: Record<string, (scope: Scope, request: ExportRequest) => AsyncGenerator<object[]>> = {
  contacts: exportContacts,
  events: exportEvents,
};

const options = { since: { type: "string" }, audience: { type: "string" } } as const;
const actions = { contacts: { options }, events: { options }, contact: { names: ["EXTERNAL_ID"] } };

/** `export contacts` and `export events` write NDJSON; `export contact ID` writes one JSON document. */
export async function exportCommand(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const { action, positionals, values } = readAction<{ since?: string; audience?: string }>("export", args, actions);
  const { since, audience = null, workspace } = values;
  const request = { since: since === undefined ? null : readDay("--since", since), audience };
  const [externalId = ""] = positionals;
  await onScope(environment, workspace, async (scope) => {
    const stream = streams[action];
    if (stream) await writeAll(action, stream(scope, request));
    else console.log(JSON.stringify(await exportContact(scope, externalId), null, 2));
  });
}

async function writeAll(what: string, pages: AsyncGenerator<object[]>): Promise<void> {
  const startedAt = performance.now();
  let rows = 0;
  let bytes = 0;
  const parts = (): string[] => {
    const seconds = (performance.now() - startedAt) / 1_000;
    const megabytesPerSecond = (bytes / 1_000_000 / seconds).toFixed(1);
    return [`${formatCount(rows)} ${what}`, `${megabytesPerSecond} MB/s`, formatSeconds(seconds)];
  };
  // On a terminal the progress would mix with the rows.
  const end = process.stdout.isTTY ? () => {} : tellProgress(process.stderr, parts);
  try {
    for await (const page of pages) {
      const lines = page.map((row) => `${JSON.stringify(row)}\n`).join("");
      rows += page.length;
      bytes += Buffer.byteLength(lines);
      if (!process.stdout.write(lines)) await once(process.stdout, "drain");
    }
  } finally {
    end();
  }
  console.error(parts().join("  "));
}
