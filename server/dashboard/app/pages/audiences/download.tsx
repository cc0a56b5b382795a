import { useEffect, useRef, useState } from "preact/hooks";
import { api } from "../../api.ts";
import { countOf, download, Failure, SmallButton } from "../../kit/index.ts";
import { useAction } from "../../loading.ts";
import { bareRule } from "../../rules/preview.ts";
import { headerOf, rowOf } from "./csv.ts";

/** A page of the browser holds the whole file in its memory. */
const membersMax = 200_000;
const limit = 1_000;

interface CsvDownloadProps {
  rule: string;
  /** `null` for a new audience. */
  audienceKey: string | null;
  /** `undefined` while it is not known. */
  count: number | undefined;
}

/** Downloads all contacts that the rule matches. The user can stop it. */
export function CsvDownload({ rule, audienceKey, count }: CsvDownloadProps) {
  const [read, setRead] = useState(0);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const { run, isRunning, error } = useAction(async () => {
    stop.current = new AbortController();
    const { attributes, audiences } = api.withSignal(stop.current.signal);
    setRead(0);
    const keys = (await attributes.list()).map(({ key }) => key);
    const lines = [headerOf(keys)];
    let cursor: string | undefined;
    do {
      const page = await audiences.members(bareRule(rule), { limit, cursor });
      for (const contact of page.items) lines.push(rowOf(contact, keys));
      setRead(lines.length - 1);
      cursor = page.nextCursor ?? undefined;
      if (lines.length > membersMax && cursor !== undefined) throw new Error(tooMany(audienceKey));
    } while (cursor !== undefined);
    download(`${audienceKey ?? "audience"}.csv`, "text/csv", lines);
  });
  if (count !== undefined && count > membersMax) return <span class="hint">{tooMany(audienceKey)}</span>;
  return (
    <>
      <SmallButton
        action={isRunning ? "Stop" : "Download as CSV"}
        onClick={() => (isRunning ? stop.current?.abort() : void run())}
      />
      <span class="muted" role="status">
        {isRunning && `${countOf(read)}${count === undefined ? "" : ` of ${countOf(count)}`} read`}
      </span>
      <Failure error={error} />
    </>
  );
}

function tooMany(audienceKey: string | null): string {
  const command = `whodid export contacts --audience ${audienceKey ?? "KEY"}`;
  return `A page can download ${countOf(membersMax, "member")}. For more use ${command}`;
}
