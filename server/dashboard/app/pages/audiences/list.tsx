import { useState } from "preact/hooks";
import type { AudienceDefinition } from "../../../../../lib/model/types.ts";
import { api } from "../../api.ts";
import { Definitions } from "../../definitions/definitions.tsx";
import { countOf, Failure, More, Named, Table } from "../../kit/index.ts";
import { useLoaded } from "../../loading.ts";
import { hrefOf } from "../../location.ts";
import { createQueue } from "../../queue.ts";
import { ruleWords } from "../../rules/words.ts";

const rowsAtOnce = 100;
const countsAtOnceMax = 3;
/** Shorter than `timeoutMs` of the client, so that a slow count is not sent again. */
const countMaxMs = 8_000;

const inTurn = createQueue(countsAtOnceMax);

/** All audiences, each with its rule and its count. */
export function AudienceList() {
  const audiences = useLoaded((methods) => methods.audiences.list(), []);
  return (
    <Definitions kind="audience" of={audiences}>
      {(items) => <Rows items={items} />}
    </Definitions>
  );
}

function Rows({ items }: { items: readonly AudienceDefinition[] }) {
  const [shown, setShown] = useState(rowsAtOnce);
  return (
    <>
      <Table
        label="Audiences"
        rows={items.slice(0, shown)}
        keyOf={({ key }) => key}
        columns={{
          Audience: (audience) => <Named of={audience} href={hrefOf(["audiences", audience.key])} />,
          Rule: ({ rule }) => <div class="clamped rule-words">{ruleWords(rule)}</div>,
          Contacts: ({ key }) => <Count of={key} />,
        }}
        wide={["Rule"]}
        right={["Contacts"]}
      />
      <More of={{ more: items.length > shown ? () => setShown(shown + rowsAtOnce) : null, isLoading: false }} />
    </>
  );
}

/** Each row loads its own count, so that a slow or failed count does not block the others. */
function Count({ of: key }: { of: string }) {
  const { value, error, isLoading, reload } = useLoaded(
    (_, given) => inTurn(async () => countWithin(AbortSignal.any([given, AbortSignal.timeout(countMaxMs)]), key)),
    [key],
  );
  if (isLoading) return <span class="muted">Counting…</span>;
  if (value === undefined || error !== undefined) return <Failure error={error} retry={reload} />;
  return <>{countOf(value)}</>;
}

async function countWithin(signal: AbortSignal, key: string): Promise<number> {
  try {
    return await api.withSignal(signal).audiences.count(key);
  } catch (error) {
    if (error instanceof DOMException && error.name === "TimeoutError")
      throw new Error("Counting takes too long.", { cause: error });
    throw error;
  }
}
