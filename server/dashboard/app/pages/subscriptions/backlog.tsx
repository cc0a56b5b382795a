import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { api } from "../../api.ts";
import { useDeed, type Closing } from "../../deed.ts";
import { agoOf, Button, countOf, Facts, Failure, Removal } from "../../kit/index.ts";
import { useAction } from "../../loading.ts";
import { usePolled } from "../../polling.ts";
import type { Backlog, ParkedContact } from "../../../../../lib/model/consumer-types.ts";
import { nameOf, ParkedTable } from "./parked.tsx";

/** The number of parked contacts that are shown at first, and with each "Show more". */
const parkedAtOnce = 10;

/** The changes that wait for consumers, and the parked contacts, which the user can retry or drop. Loaded every few seconds. */
export function SubscriptionBacklog({ of: key }: { of: string }) {
  const [shown, setShown] = useState(parkedAtOnce);
  const { value, error, reload } = usePolled(
    async ({ subscriptions }) => {
      const backlog = await subscriptions.backlog(key);
      const hasParked = backlog !== null && backlog.parked > 0;
      const page = hasParked ? await subscriptions.parked(key, { limit: shown }) : null;
      return { backlog, parked: page?.items ?? [], hasMore: page !== null && page.nextCursor !== null };
    },
    [key, shown],
    true,
  );
  const retry = useAction((changeId: string) => api.subscriptions.retry(key, changeId).finally(reload));
  const { deed: dropped, begin, closing } = useDeed<ParkedContact>(reload);
  const top = useRef<HTMLDivElement>(null);
  const retryFocused = async (changeId: string): Promise<void> => {
    // The focused button is removed.
    if (await retry.run(changeId)) top.current?.focus();
  };
  return (
    <div ref={top} tabIndex={-1} class="stack waiting-changes" aria-busy={!value && error === undefined}>
      <Failure error={error} />
      {value && <Numbers of={value.backlog} />}
      <Failure error={retry.error} />
      {value && value.parked.length > 0 && (
        <>
          <p class="muted">
            The later changes of these contacts wait. Mend the cause and retry, or drop the change that failed.
          </p>
          <ParkedTable
            of={key}
            items={value.parked}
            isRetrying={retry.isRunning}
            onRetry={(changeId) => void retryFocused(changeId)}
            onDrop={begin}
          />
        </>
      )}
      {value?.hasMore && (
        <Button action="Show more parked contacts" look="more" onClick={() => setShown(shown + parkedAtOnce)} />
      )}
      {dropped && <DropChange of={key} parked={dropped} {...closing} />}
    </div>
  );
}

function Numbers({ of: backlog }: { of: Backlog | null }) {
  if (!backlog) return <p class="muted">No change was taken yet.</p>;
  const { changes, more, oldestAgeSeconds, parked } = backlog;
  const facts: Record<string, ComponentChildren> = {
    Backlog: (more ? "≥ " : "") + countOf(changes, "change"),
    ...(changes > 0 && { Oldest: agoOf(-1_000 * oldestAgeSeconds, 0) }),
    Parked: parked > 0 ? <span class="badge bad">{countOf(parked, "contact")}</span> : countOf(0, "contact"),
  };
  return <Facts of={Object.entries(facts)} />;
}

function DropChange({ of: key, parked, ...closing }: Closing & { of: string; parked: ParkedContact }) {
  return (
    <Removal
      {...closing}
      title={`Drop the change of “${nameOf(parked)}”?`}
      action="Drop the change"
      remove={() => api.subscriptions.drop(key, parked.changeId)}
    >
      <p>
        Consumers of <b>{key}</b> never handle this change. They go on with the next one of the contact. This cannot be
        undone.
      </p>
    </Removal>
  );
}
