import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { api } from "../../api.ts";
import { useDeed } from "../../deed.ts";
import { Failure } from "../../kit/failure.tsx";
import { Removal } from "../../kit/removal.tsx";
import { ShownOnce } from "../../kit/shown-once.tsx";
import { SmallButton } from "../../kit/small-button.tsx";
import { Time } from "../../kit/text.tsx";
import { useAction } from "../../loading.ts";
import { usePolled } from "../../polling.ts";
import type { WebhookSecret, WebhookStatus, WebhookTest } from "../../../../../lib/model/webhook-types.ts";

/** How the messages of a webhook get on, its secrets, and the actions on it. Loaded every few seconds. */
export function Webhook({ of: key }: { of: string }) {
  const { value, error, reload } = usePolled(({ subscriptions }) => subscriptions.webhook(key), [key], true);
  const [created, setCreated] = useState<string | null>(null);
  const [test, setTest] = useState<WebhookTest | null>(null);
  const action = useAction((act: () => Promise<unknown>) => act().finally(reload));
  const { deed: deleted, begin, closing } = useDeed<WebhookSecret>(reload);
  const top = useRef<HTMLDivElement>(null);
  const act = async (call: () => Promise<unknown>): Promise<void> => {
    setTest(null);
    await action.run(call);
  };
  const enable = async (): Promise<void> => {
    await api.subscriptions.enable(key);
    // The focused button is removed.
    top.current?.focus();
  };
  return (
    <div ref={top} tabIndex={-1} class="waiting-changes" aria-busy={!value && error === undefined}>
      <Failure error={error} />
      {value && <State of={value} />}
      {value?.secrets.map((secret) => (
        <div key={secret.id} class="line">
          <span class="muted">
            Secret created <Time at={secret.createdAt} />
            {secret.endsAt !== null && (
              <>
                , ends <Time at={secret.endsAt} />
              </>
            )}
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
          <SmallButton
            action="Send a test"
            of={`to ${key}`}
            needs="sendTest"
            isDisabled={action.isRunning}
            onClick={() => void act(async () => setTest(await api.subscriptions.sendTest(key)))}
          />
          <SmallButton
            action="Create a secret"
            of={`of ${key}`}
            needs="createSecret"
            isDisabled={action.isRunning}
            onClick={() => void act(async () => setCreated((await api.subscriptions.createSecret(key)).secret))}
          />
          {["down", "disabled"].includes(value.state) && (
            <SmallButton
              action="Enable"
              of={key}
              needs="enableWebhook"
              isDisabled={action.isRunning}
              onClick={() => void act(enable)}
            />
          )}
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
  const { origin, state, lastTryAt, lastStatus, lastError, disabledReason } = webhook;
  return (
    <>
      <dl class="properties">
        <Fact name="Sent to">{origin}</Fact>
        <Fact name="State">
          <span class={`badge ${tones[state]}`}>{state.replace("_", " ")}</span>
        </Fact>
        {state === "paused" && <When name="Until" at={webhook.pausedUntil} />}
        {state === "down" && <When name="Since" at={webhook.downSince} />}
        {state === "down" && <When name="Next try" at={webhook.nextProbeAt} />}
        {state === "disabled" && <When name="Since" at={webhook.disabledAt} />}
        <When name="Last try" at={lastTryAt} />
        {lastStatus !== null && <Fact name="Status">{lastStatus}</Fact>}
      </dl>
      {state === "no_secret" && <p class="muted">Nothing is sent without a secret. Create one.</p>}
      {state === "disabled" && disabledReason && <p>{reasons[disabledReason]}</p>}
      {lastError !== null && disabledReason !== "gone" && <p class="error-text muted">{lastError}</p>}
    </>
  );
}

function When({ name, at }: { name: string; at: string | null }) {
  return (
    <Fact name={name}>
      <Time at={at} />
    </Fact>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
