// What somebody with a CommonJS project writes where TypeScript allows no `require` of an ES module.
async function main(): Promise<void> {
  const { createTracker } = await import("whodid");
  const { memoryStorage } = await import("whodid/memory");
  const tracker = createTracker({ storage: memoryStorage() });
  const { contact } = await tracker.contacts.upsert({ email: "ada@example.com" });
  console.log(`whodid keeps ${contact.email}`);
}

void main();
