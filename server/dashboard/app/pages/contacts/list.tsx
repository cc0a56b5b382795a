import {
  Code,
  countOf,
  Empty,
  firstContact,
  More,
  Options,
  Page,
  Table,
  Time,
  useTyped,
  WhenLoaded,
} from "../../kit/index.ts";
import { readOn, useLoaded, useLoadedPages } from "../../loading.ts";
import { hrefOf, replaceLocation } from "../../location.ts";
import type { Contact } from "../../../../../lib/model/types.ts";
import { contactColumns } from "./columns.tsx";
import { FilterForm, filterIn, ruleOf, type Filter } from "./filter.tsx";

const orders = { newest: "Newest first", oldest: "Oldest first" };
type Order = keyof typeof orders;

const limit = 100;

/** Finds contacts while the user types, or those that match a filter. The address contains the query, the order and the filter. */
export function ContactList({ query }: { query: Readonly<Record<string, string>> }) {
  const order: Order = query["order"] === "oldest" ? "oldest" : "newest";
  const sought = query["query"] ?? "";
  const filter = filterIn(query);
  const isFiltered = Object.values(filter).some((part) => part !== "");
  const show = (changes: Record<string, string>): void =>
    replaceLocation(hrefOf(["contacts"], { query: sought, order: query["order"] ?? "", ...changes }));
  const search = useTyped(sought, (text) => show({ query: text }));
  const showFiltered = (changed: Filter): void => replaceLocation(hrefOf(["contacts"], changed));
  const total = useLoaded((methods) => methods.contacts.count(), []);
  const contacts = useLoadedPages(
    async (methods, begun) => {
      const rule = await ruleOf(methods, filter);
      if (rule) return methods.audiences.members(rule, { limit, cursor: begun });
      const list = methods.contacts.list;
      return readOn((cursor) => list({ query: sought || undefined, order, limit, cursor }), begun, limit);
    },
    [sought, order, JSON.stringify(filter)],
  );
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
          placeholder="Name, email or external id"
          value={search.text}
          onInput={(event) => search.type(event.currentTarget.value)}
        />
        <select
          class="input"
          aria-label="Order"
          value={isFiltered ? "oldest" : order}
          disabled={isFiltered}
          onChange={(event) => show({ order: event.currentTarget.value })}
        >
          <Options of={Object.entries(orders)} />
        </select>
      </form>
      <FilterForm filter={filter} onChange={showFiltered} />
      <WhenLoaded of={contacts}>
        {(items) => {
          if (items.length > 0) return <Contacts items={items} />;
          return contacts.more ? <p class="hint">None found yet.</p> : <NoContacts {...{ sought, isFiltered }} />;
        }}
      </WhenLoaded>
      <More of={contacts} />
    </Page>
  );
}

function Contacts({ items }: { items: readonly Contact[] }) {
  return (
    <Table
      label="Contacts"
      rows={items}
      keyOf={({ id }) => id}
      columns={{
        ...contactColumns,
        Plan: ({ plan }) => plan,
        Added: ({ createdAt }) => <Time at={createdAt} />,
      }}
      wide={["External id", "Plan"]}
    />
  );
}

function NoContacts({ sought, isFiltered }: { sought: string; isFiltered: boolean }) {
  if (sought !== "" || isFiltered)
    return (
      <Empty title={isFiltered ? "No contact matches the filter." : "No contact was found."}>
        {!isFiltered && (
          <p>The beginning of an email, an external id, a word of the name, or what stands behind the @ finds one.</p>
        )}
        <a href={hrefOf(["contacts"])}>Show all contacts</a>
      </Empty>
    );
  return (
    <Empty title="There are no contacts yet.">
      <p>Your backend adds them. To add one by hand, paste this with an API key:</p>
      <Code text={firstContact} />
    </Empty>
  );
}
