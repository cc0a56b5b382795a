import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { api } from "../../api.ts";
import { useDeed } from "../../deed.ts";
import { Facts, Failure, Removal, ShownOnce, SmallButton, Time } from "../../kit/index.ts";
import { useAction } from "../../loading.ts";
import { usePolled } from "../../polling.ts";
import type { RouteName } from "../../../../../lib/http/routes/lines.ts";
import type { WebhookSecret, WebhookStatus, WebhookTest } from "../../../../../lib/model/webhook-types.ts";

/** How the messages of a webhook get on, its secrets, and the actions on it. Loaded every few seconds. */
export function Webhook({ of: key }: { of: string }) {
  const { value, error, reload } = usePolled(({ subscriptions }) => subscriptions.webhook(key), [key], true);
  const [created, setCreated] = useState<string | null>(null);
  const [test, setTest] = useState<WebhookTest | null>(null);
  const action = useAction((act: () => Promise<unknown>) => act().finally(reload));
  const { deed: deleted, begin, closing } = useDeed<WebhookSecret>(reload);
  const top = useRef<HTMLDivElement>(null);
  const button = (name: string, of: string, needs: RouteName, call: () => Promise<unknown>) => {
    const onClick = (): void => {
      setTest(null);
      void action.run(call);
    };
    return <SmallButton action={name} {...{ of, needs, onClick }} isDisabled={action.isRunning} />;
  };
  const enable = async (): Promise<void> => {
    await api.subscriptions.enable(key);
    // The focused button is removed.
    top.current?.focus();
  };
  return (
    <div ref={top} tabIndex={-1} class="stack waiting-changes" aria-busy={!value && error === undefined}>
      <Failure error={error} />
      {value && <State of={value} />}
      {value?.secrets.map((secret) => (
        <div key={secret.id} class="line">
          <span class="muted">
            Secret created <Time at={secret.createdAt} />
            {secret.endsAt !== null && ", ends "}
            {secret.endsAt !== null && <Time at={secret.endsAt} />}
          </span>
          <SmallButton
            action="Delete"
            of={`the ${secret.endsAt === null ? "newest" : "older"} secret of ${key}`}
            needs="deleteSecret"
            onClick={() => begin(secret)}
          />
        </div>
      ))}
      {value && (
        <div class="line">
          {button("Send a test", `to ${key}`, "sendTest", async () => setTest(await api.subscriptions.sendTest(key)))}
          {button("Create a secret", `of ${key}`, "createSecret", async () =>
            setCreated((await api.subscriptions.createSecret(key)).secret),
          )}
          {["down", "disabled"].includes(value.state) && button("Enable", key, "enableWebhook", enable)}
        </div>
      )}
      <Failure error={action.error} />
      {test && (
        <p role="status">
          {test.delivered ? `The test was delivered: status ${test.status}.` : `The test failed. ${test.error}`}
        </p>
      )}
      {created !== null && (
        <ShownOnce title="Copy the secret now" text={created} onClose={() => setCreated(null)}>
          Nobody can see it again. Keep it where the receiver verifies the messages of <b>{key}</b>.
        </ShownOnce>
      )}
      {deleted && (
        <Removal
          {...closing}
          title="Delete the secret?"
          action="Delete the secret"
          remove={() => api.subscriptions.deleteSecret(key, deleted.id)}
        >
          <p>
            Messages of <b>{key}</b> are no longer signed with it, and without a secret none are sent. This cannot be
            undone.
          </p>
        </Removal>
      )}
    </div>
  );
}

const tones = { delivering: "good", no_secret: "warn", paused: "warn", down: "bad", disabled: "bad" } as const;
const reasons = {
  gone: "The endpoint answered that it is gone (410).",
  down_too_long: "It was down for five days.",
  changes_expired: "Changes that were not delivered are no longer kept.",
};

function State({ of: webhook }: { of: WebhookStatus }) {
  const { state, lastStatus, lastError, disabledReason } = webhook;
  const facts: Record<string, ComponentChildren> = {
    "Sent to": webhook.origin,
    State: <span class={`badge ${tones[state]}`}>{state.replace("_", " ")}</span>,
    ...(state === "paused" && { Until: <Time at={webhook.pausedUntil} /> }),
    ...(state === "down" && { Since: <Time at={webhook.downSince} />, "Next try": <Time at={webhook.nextProbeAt} /> }),
    ...(state === "disabled" && { Since: <Time at={webhook.disabledAt} /> }),
    "Last try": <Time at={webhook.lastTryAt} />,
    ...(lastStatus !== null && { Status: lastStatus }),
  };
  return (
    <>
      <Facts of={Object.entries(facts)} />
      {state === "no_secret" && <p class="muted">Nothing is sent without a secret. Create one.</p>}
      {state === "disabled" && disabledReason && <p>{reasons[disabledReason]}</p>}
      {lastError !== null && disabledReason !== "gone" && <p class="error-text muted">{lastError}</p>}
    </>
  );
}
