import type { ListedSubscription } from "../../../../../lib/model/types.ts";
import { Section, WhenLoaded } from "../../kit/index.ts";
import { useLoaded } from "../../loading.ts";
import { EntryTable } from "../audiences/entries.tsx";

const entriesShown = 5;
/** Each audience is a request. */
const audiencesMax = 10;

/** The newest entries into audiences and exits from them, by the first subscription that names each. */
export function NewestEntries({ subscriptions }: { subscriptions: readonly ListedSubscription[] }) {
  const loaded = useLoaded(async ({ subscriptions: { recent } }) => {
    const named = subscriptions.flatMap(({ key, on }) =>
      (on.audiences ?? []).map((audience) => [audience, key] as const),
    );
    const watched = [...new Map(named.toReversed())].slice(0, audiencesMax);
    const lists = watched.map(([audienceKey, key]) => recent(key, { audienceKey, limit: entriesShown }));
    const changes = (await Promise.all(lists)).flat().toSorted((one, other) => other.at.localeCompare(one.at));
    return changes.flatMap((change) => ("audienceKey" in change ? change : [])).slice(0, entriesShown);
  }, []);
  return (
    <Section title="Newest entries and exits">
      <WhenLoaded of={loaded}>{(changes) => <EntryTable changes={changes} isOfMany />}</WhenLoaded>
    </Section>
  );
}
