/** `npm run bench -- orms`: one `events.track` in an open transaction, by mysql2 and through the ORMs that `npm run long -- orms` installed. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createPool } from "mysql2/promise";
import { installedOrms, installs } from "../orms/installs.ts";
import { emailOf, onDatabase, openTracker } from "./databases.ts";
import { compareInRounds, median, timesOf, type Figures } from "./rounds.ts";

const rounds = 9;
const callsPerRound = 200;
const wanted = ["Drizzle", "Knex", "Kysely"];

export async function run(): Promise<void> {
  if (!existsSync(join(installs, "out/apps")))
    throw new Error("npm run long -- orms installs the ORMs that this needs.");
  await onDatabase([], ({ url }) => compare(url));
}

async function compare(url: string): Promise<void> {
  const { tracker } = await openTracker(url, 1);
  const trackOn = async (transaction: object): Promise<Figures> => {
    const inside = tracker.within(transaction);
    const track = (): Promise<unknown> => inside.events.track({ externalId: emailOf(0), eventKey: "step" });
    return { "ms a call": median(await timesOf(callsPerRound, track)) };
  };

  const pool = createPool({ uri: url });
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
    const opened = await orm.open(url);
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
