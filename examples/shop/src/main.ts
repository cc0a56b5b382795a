// Serves the shop, does whodid's work and sends the mails. With the argument `import` it imports the past instead.
import { createApp } from "./app.ts";
import { openDatabase } from "./database.ts";
import { importPast } from "./past.ts";
import { createShop } from "./shop.ts";
import { winBack } from "./win-back.ts";

const { tracker, store, readPast, close } = await openDatabase();
if (process.argv[2] === "import") {
  const { users, orders } = await readPast();
  await importPast(tracker, users, orders);
  await close();
  console.log(`${users.length} users and ${orders.length} orders`);
} else {
  tracker.work();
  const mailer = winBack(async (...mail) => console.log(mail)); // Call your mail service instead.
  tracker.subscriptions.consume("mailer", { transaction: true }, mailer);
  const port = Number(process.env["PORT"] ?? 3000);
  const server = createApp(tracker, createShop(tracker, store)).listen(port);
  server.once("listening", () => console.log(`The shop is at http://localhost:${port}`));
  for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => server.close(() => void close()));
}
