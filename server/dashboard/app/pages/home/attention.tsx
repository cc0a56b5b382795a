import type { Methods } from "../../../../../lib/client/methods.ts";
import type { EventTypeDefinition, ListedSubscription } from "../../../../../lib/model/types.ts";
import { agoOf, countOf, Section, WhenLoaded } from "../../kit/index.ts";
import { useLoaded } from "../../loading.ts";
import { hrefOf } from "../../location.ts";
import { likelyKeys } from "../events/likeness.ts";

/** A backlog whose oldest change waits longer grows faster than it is handled. */
const lateSeconds = 600;
const broken: readonly string[] = ["no_secret", "down", "disabled"];

interface AttentionProps {
  subscriptions: readonly ListedSubscription[];
  /** The keys of the newest events. */
  keys: readonly string[];
  types: readonly EventTypeDefinition[];
}

/** Links to each thing that needs a look: parked contacts, late changes, webhooks that do not send, and mistyped event keys. */
export function Attention({ subscriptions, keys, types }: AttentionProps) {
  const found = useLoaded((methods) => Promise.all(subscriptions.map((one) => faultsOf(methods, one))), []);
  const mistyped = [...likelyKeys(keys, types)].flatMap(([key, likely]) => {
    const words = `The event ${key} is not defined. Is ${likely} meant?`;
    return likely === null ? [] : { href: hrefOf(["events"], { event: key }), words };
  });
  return (
    <Section title="Needs a look">
      <WhenLoaded of={found}>
        {(faults) => (
          <ul class="plain remarks">
            {[...faults.flat(), ...mistyped].map(({ href, words }) => (
              <li key={words} class="warning">
                <a href={href}>{words}</a>
              </li>
            ))}
            {faults.flat().length + mistyped.length === 0 && <li class="muted">Nothing</li>}
          </ul>
        )}
      </WhenLoaded>
    </Section>
  );
}

async function faultsOf({ subscriptions }: Methods, { key, url }: ListedSubscription) {
  const backlog = await subscriptions.backlog(key);
  const webhook = url === undefined ? null : await subscriptions.webhook(key);
  const { parked = 0, changes = 0, oldestAgeSeconds = 0 } = backlog ?? {};
  const faults = [
    parked > 0 && `${countOf(parked, "contact")} parked`,
    oldestAgeSeconds > lateSeconds &&
      `${countOf(changes, "change")} waiting since ${agoOf(-1_000 * oldestAgeSeconds, 0)}`,
    webhook && broken.includes(webhook.state) && `the webhook has the state ${webhook.state.replace("_", " ")}`,
  ];
  const href = hrefOf(["subscriptions", key]);
  return faults.flatMap((fault) => (fault ? { href, words: `Subscription ${key}: ${fault}` } : []));
}
