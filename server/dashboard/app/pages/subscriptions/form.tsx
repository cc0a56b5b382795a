import { api, issuesAt } from "../../api.ts";
import type { FormProps } from "../../definitions/definitions.tsx";
import { useForm } from "../../form.ts";
import { Area, CheckField, Choice, FormDialog, TextField } from "../../kit/index.ts";
import { useOverwriting } from "../../definitions/overwriting.tsx";
import type { Subscription, SubscriptionDefinition } from "../../../../../lib/model/types.ts";
import { AudienceChoice } from "./audience-choice.tsx";
import { definitionOf, draftOf, type SubscriptionDraft } from "./draft.ts";

const choices: Readonly<Record<SubscriptionDraft["events"], string>> = {
  all: "All",
  listed: "Only these",
  none: "None",
};

/** Defines a subscription, or changes its topics and how long it keeps changes. */
export function SubscriptionForm({ of: subscription, ...closing }: FormProps<Subscription>) {
  const { assertStored, question } = useOverwriting(async () => (await api.subscriptions.list()).map(definitionIn));
  const form = useForm(draftOf(subscription), async (draft) => {
    await assertStored(subscription && definitionIn(subscription), definitionOf(draft));
    await api.subscriptions.define(definitionOf(draft));
  });
  const { draft, change, error } = form;
  const isListed = draft.events === "listed";
  const isWebhook = !subscription || subscription.url !== undefined;
  const title = subscription ? `Edit “${subscription.key}”` : "Create subscription";
  const fields = [
    "keepDays",
    "on",
    "on.audiences",
    ...(subscription ? [] : ["key"]),
    ...(isWebhook ? ["url", "concurrency"] : []),
    ...(isListed ? ["on.events"] : []),
  ];
  return (
    <>
      <FormDialog {...closing} {...{ form, title, fields }} action={subscription ? "Save" : "Create"}>
        {!subscription && (
          <TextField
            of={form}
            path="key"
            label="Key"
            hint="Letters, digits and _, such as warehouse. It never changes."
          />
        )}
        <Choice
          label="Events"
          path="on"
          error={error}
          problem={issuesAt(error, "on").length > 0 && "Choose events, contacts, checklists or audiences."}
          options={choices}
          value={draft.events}
          onChange={({ currentTarget: { value } }) => change({ events: value as SubscriptionDraft["events"] })}
        />
        {isListed && (
          <Area
            label="Event keys"
            path="on.events"
            error={error}
            hint="One on each line."
            value={draft.eventKeys}
            onInput={({ currentTarget: { value } }) => change({ eventKeys: value })}
          />
        )}
        <CheckField of={form} path="contacts" label="Contacts that are created, updated and deleted" />
        <CheckField of={form} path="checklists" label="Items and checklists that contacts complete" />
        <AudienceChoice chosen={draft.audiences} error={error} onChange={(audiences) => change({ audiences })} />
        {draft.audiences.length > 0 && (
          <CheckField of={form} path="current" label="Also announce those who are in already, once for each audience" />
        )}
        <TextField
          of={form}
          path="keepDays"
          label="Days to keep a change"
          inputMode="numeric"
          hint="1 to 90, for a webhook at least 6. A reader must come back within this time."
        />
        {isWebhook && (
          <TextField
            of={form}
            path="url"
            label="Webhook URL"
            inputMode="url"
            placeholder="https://partner.example/hooks"
            hint="Where changes are sent as signed messages. It cannot be added or removed later."
          />
        )}
        {draft.url !== "" && (
          <TextField
            of={form}
            path="concurrency"
            label="Contacts at a time"
            inputMode="numeric"
            hint="1 to 64. The messages of one contact are sent one after another."
          />
        )}
      </FormDialog>
      {question}
    </>
  );
}

/** The definition in an answer of the server, without the fields that the server sets. */
function definitionIn(subscription: Subscription): SubscriptionDefinition {
  return definitionOf(draftOf(subscription));
}
