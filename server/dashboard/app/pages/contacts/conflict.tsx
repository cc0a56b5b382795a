import type { ComponentChildren } from "preact";
import { TrackerError, type Conflict } from "../../../../../lib/model/errors.ts";
import { hrefOf } from "../../location.ts";

/** The message at a field whose value another contact has already; `null` if there is no such conflict. */
export function conflictAt(error: unknown, field: string): ComponentChildren {
  const conflict = conflictOf(error);
  const other = conflict?.contacts.at(-1);
  if (conflict?.field !== field || !other) return null;
  return (
    <>
      {/* Opens another tab, so that the form keeps its draft. */}
      <a href={hrefOf(["contacts", other.externalId])} target="_blank">
        {other.email}
      </a>{" "}
      has it already.
    </>
  );
}

/** Links to the contacts of a conflict. */
export function ConflictContacts({ error }: { error: unknown }) {
  const contacts = conflictOf(error)?.contacts ?? [];
  if (contacts.length === 0) return null;
  return (
    <ul class="plain">
      {contacts.map(({ id, email, externalId }) => (
        <li key={id}>
          <a href={hrefOf(["contacts", externalId])}>{email}</a>, external id {externalId}
        </li>
      ))}
    </ul>
  );
}

function conflictOf(error: unknown): Conflict | null {
  return error instanceof TrackerError && "conflict" in error ? error.conflict : null;
}
