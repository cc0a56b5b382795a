import { holds } from "../../lib/decisions/conditions.ts";
import { summarizeEvents } from "../../lib/decisions/events.ts";
import { fillPage } from "../../lib/decisions/pages.ts";
import type { Condition, ContactRow, PageRows, Slice } from "../../lib/storage/rows.ts";
import { copyOf } from "./contacts.ts";
import type { Tables } from "./tables.ts";

export function listMembers(tables: Tables, condition: Condition, slice: Slice): PageRows<ContactRow> {
  const { after } = slice;
  const rows = membersOf(tables, condition)
    .filter(({ id }) => !after || id > after.id)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  return fillPage(rows, slice, copyOf);
}

export function countMembers(tables: Tables, condition: Condition): number {
  return membersOf(tables, condition).length;
}

function membersOf({ contacts }: Tables, condition: Condition): ContactRow[] {
  return Array.from(contacts.values()).flatMap(({ events, ...record }) =>
    holds(condition, { ...record, countEvents: (test) => summarizeEvents(events, test)?.count ?? 0 })
      ? [record.row]
      : [],
  );
}
