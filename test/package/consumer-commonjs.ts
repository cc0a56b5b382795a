// What somebody with a CommonJS project writes: where TypeScript lets it, the imports become `require`.
import assert from "node:assert/strict";
import { createTracker, type Contact } from "whodid";
import { memoryStorage } from "whodid/memory";
import { mysqlStorage } from "whodid/mysql";
import { toListener } from "whodid/node";
import { storageContract } from "whodid/storage-contract";

async function main(): Promise<void> {
  const tracker = createTracker({ storage: memoryStorage() });
  const { contact }: { contact: Contact } = await tracker.contacts.upsert({ email: "ada@example.com" });
  assert.equal(contact.externalId, "ada@example.com");
  for (const exported of [mysqlStorage, toListener, storageContract]) assert.equal(typeof exported, "function");
  console.log(`whodid by ${typeof require}`);
}

void main();
