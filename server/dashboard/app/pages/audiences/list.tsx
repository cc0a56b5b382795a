import { useState } from "preact/hooks";
import type { AudienceDefinition } from "../../../../../lib/model/types.ts";
import { api } from "../../api.ts";
import { curlOf } from "../../kit/curl.ts";
import { Failure } from "../../kit/failure.tsx";
import { Empty, WhenLoaded } from "../../kit/list.tsx";
import { Named } from "../../kit/named.tsx";
import { Page } from "../../kit/page.tsx";
import { Table } from "../../kit/table.tsx";
import { Code, countOf } from "../../kit/text.tsx";
import { useLoaded } from "../../loading.ts";
import { hrefOf } from "../../location.ts";
import { createQueue } from "../../queue.ts";
import { ruleWords } from "../../rules/words.ts";
import { newKeys } from "../../definitions/unsaved.ts";
import { may } from "../../session.ts";

const rowsAtOnce = 100;
const countsAtOnceMax = 3;
/** Shorter than `timeoutMs` of the client, so that a slow count is not sent again. */
const countMaxMs = 8_000;

const inTurn = createQueue(countsAtOnceMax);

const firstAudience = curlOf("PUT", "/audiences/buyers", {
  name: "Buyers",
  rule: { kind: "has_done", eventKey: "purchase_completed" },
});

/** All audiences, each with its rule and its count. */
export function AudienceList() {
  const audiences = useLoaded((methods) => methods.audiences.list(), []);
  return (
    <Page
      title="Audiences"
      actions={
        may("putAudience") && (
          <a class="button primary" href={hrefOf(["audiences", newKeys.audience])}>
            Create audience
          </a>
        )
      }
    >
      <WhenLoaded of={audiences}>{(items) => (items.length > 0 ? <Rows items={items} /> : <NoAudiences />)}</WhenLoaded>
    </Page>
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
          Rule: ({ rule }) => <div class="rule-words">{ruleWords(rule)}</div>,
          Contacts: ({ key }) => <Count of={key} />,
        }}
        wide={["Rule"]}
        right={["Contacts"]}
      />
      {items.length > shown && (
        <button type="button" class="button more" onClick={() => setShown(shown + rowsAtOnce)}>
          Show more
        </button>
      )}
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

function NoAudiences() {
  return (
    <Empty title="There are no audiences yet.">
      <p>
        An audience is a rule: whoever it is true of now is in it. Build one with “Create audience”, or paste this with
        an API key:
      </p>
      <Code text={firstAudience} />
    </Empty>
  );
}
