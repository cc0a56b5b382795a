import type { PoolConnection } from "mysql2/promise";
import { faultless } from "../../adapters/storage-contract/calls.ts";
import { contactDraft } from "../../adapters/storage-contract/drafts.ts";
import type { Storage } from "../../lib/storage/port.ts";
import type { ContactRow } from "../../lib/storage/rows.ts";
import type { Database } from "./database.ts";
import { proxiedBy, type Proxied } from "./proxied.ts";

export interface Held extends Proxied {
  connection: PoolConnection;
  /** In the open transaction. */
  inside: Storage;
}

/** Makes what runs a test with the contacts 0@example.com to 99@example.com, and a transaction that has been begun. */
export function holdingOn(server: Database | null): (run: (held: Held) => Promise<void>) => Promise<void> {
  const proxied = proxiedBy(server);
  return (run) =>
    proxied(async (opened) => {
      await opened.storage.upsertContacts(
        Array.from({ length: 100 }, (_, n) => contactDraft({ email: `${n}@example.com` })),
      );
      const connection = await opened.pool.getConnection();
      try {
        await connection.beginTransaction();
        await run({ ...opened, connection, inside: opened.storage.within(connection) });
      } finally {
        connection.destroy();
      }
    });
}

export type Upserted = { contact: ContactRow; created: boolean };

export async function upsert(storage: Storage, parts: Parameters<typeof contactDraft>[0]): Promise<Upserted> {
  // One draft has one result.
  return faultless((await storage.upsertContacts([contactDraft(parts)]))[0]!) as Upserted;
}
