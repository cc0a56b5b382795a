/** `npm run bench -- orms`: one `events.track` in an open transaction, by mysql2 and through the ORMs that `npm run long -- orms` installed. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createPool } from "mysql2/promise";
import { mysqlStorage } from "../../adapters/mysql/index.ts";
import { createTracker } from "../../lib/index.ts";
import { installedOrms, installs } from "../orms/installs.ts";
import { startDatabase } from "../support/database.ts";
import { compareInRounds, median, type Figures } from "./rounds.ts";

const rounds = 9;
const callsPerRound = 200;
const wanted = ["Drizzle", "Knex", "Kysely"];

export async function run(): Promise<void> {
  if (!existsSync(join(installs, "out/apps")))
    throw new Error("npm run long -- orms installs the ORMs that this needs.");
  const database = await startDatabase();
  if ("unavailable" in database) throw new Error(database.unavailable);
  const storage = mysqlStorage(database.url);
  await storage.migrate();
  const tracker = createTracker({ storage });
  await tracker.contacts.upsert({ email: "ada@example.com" });
  const trackOn = async (transaction: object): Promise<Figures> => {
    const times: number[] = [];
    const inside = tracker.within(transaction);
    for (let call = 0; call < callsPerRound; call++) {
      const begun = performance.now();
      await inside.events.track({ externalId: "ada@example.com", eventKey: "step" });
      times.push(performance.now() - begun);
    }
    return { "ms a call": median(times) };
  };

  const pool = createPool({ uri: database.url });
  const connection = await pool.getConnection();
  const candidates: Record<string, () => Promise<Figures>> = {
    async mysql2() {
      await connection.beginTransaction();
      const figures = await trackOn(connection);
      await connection.rollback();
      return figures;
    },
  };
  const closings: (() => Promise<void>)[] = [];
  for (const orm of (await installedOrms()).filter(({ name }) => wanted.includes(name))) {
    const opened = await orm.open(database.url);
    closings.push(opened.close);
    candidates[orm.name] = async () => {
      let figures: Figures = {};
      await opened.transaction(async ({ executor }) => void (figures = await trackOn(executor)));
      return figures;
    };
  }
  for (const warmUp of Object.values(candidates)) await warmUp();
  await compareInRounds(rounds, candidates);
  connection.release();
  await Promise.all([pool.end(), tracker.close(), ...closings.map((close) => close())]);
}
