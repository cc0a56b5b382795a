import { useState } from "preact/hooks";
import { isStandalone } from "../../session.ts";
import { Empty, More, Table, WhenLoaded } from "../../kit/list.tsx";
import { Page } from "../../kit/page.tsx";
import { Code, countOf, Time } from "../../kit/text.tsx";
import { useLoaded, useLoadedPages } from "../../loading.ts";
import { hrefOf, replacePlace } from "../../place.ts";
import type { Contact } from "../../../../../lib/types.ts";

const orders = { newest: "Newest first", oldest: "Oldest first" };
type Order = keyof typeof orders;

const firstContact = `curl -s ${isStandalone ? location.origin : "https://your.app"}/api/v1/contacts \\
  -H "Authorization: Bearer $API_KEY" -H 'Content-Type: application/json' \\
  -d '{"email":"ada@example.com"}'`;

/** Finds contacts as one types. The address holds what is looked for. */
export function ContactList({ query }: { query: Readonly<Record<string, string>> }) {
  const order: Order = query["order"] === "oldest" ? "oldest" : "newest";
  const [text, setText] = useState(query["query"] ?? "");
  const total = useLoaded((methods) => methods.contacts.count(), []);
  const contacts = useLoadedPages(
    (methods, cursor) => methods.contacts.list({ query: text || undefined, order, cursor }),
    [text, order],
  );
  const show = (changes: Record<string, string>): void =>
    replacePlace(hrefOf(["contacts"], { query: text, order, ...changes }));
  return (
    <Page
      title="Contacts"
      actions={total.value !== undefined && <span class="muted">{countOf(total.value, "contact")}</span>}
    >
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <input
          class="input"
          type="search"
          aria-label="Find contacts"
          placeholder="The beginning of an email, externalId or name"
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            show({ query: event.currentTarget.value });
          }}
        />
        <select
          class="input"
          aria-label="Order"
          value={order}
          onChange={(event) => show({ order: event.currentTarget.value })}
        >
          {Object.entries(orders).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </form>
      <WhenLoaded of={contacts}>
        {(items) => (items.length > 0 ? <Contacts items={items} /> : <NoContacts isSearch={text !== ""} />)}
      </WhenLoaded>
      <More of={contacts} />
    </Page>
  );
}

function Contacts({ items }: { items: readonly Contact[] }) {
  return (
    <Table label="Contacts" columns={["Contact", "External id", "Plan", "Added"]}>
      {items.map(({ id, email, externalId, name, plan, createdAt }) => (
        <tr key={id}>
          <td>
            <a class="row-link" href={hrefOf(["contacts", externalId])}>
              {name ?? email}
            </a>
            {name !== null && <div class="muted">{email}</div>}
          </td>
          <td>{externalId === email ? <span class="muted">its email</span> : externalId}</td>
          <td>{plan}</td>
          <td>
            <Time at={createdAt} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function NoContacts({ isSearch }: { isSearch: boolean }) {
  if (isSearch) return <Empty title="No contact begins like that." />;
  return (
    <Empty title="There are no contacts yet.">
      <p>Your backend adds them. To add one by hand, paste this with an API key:</p>
      <Code text={firstContact} />
    </Empty>
  );
}
