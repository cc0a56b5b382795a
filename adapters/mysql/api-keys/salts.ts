import type { Storage } from "../../../lib/storage/port.ts";
import { saltStatements as sql, text } from "../sql/index.ts";
import { type Runner, type Work, writeOne } from "../transactions/index.ts";

export function createSalts(runner: Runner): Pick<Storage, "findOrInsertSalt"> {
  return {
    findOrInsertSalt: (salt) =>
      writeOne(runner, salt, async (work, own) => {
        const stored = await findSalt(work);
        if (stored !== null) return stored;
        await work.write(sql.insertSalt(own));
        return (await findSalt(work)) ?? own;
      }),
  };
}

async function findSalt(work: Work): Promise<string | null> {
  const [row] = await work.rows(sql.findSalt);
  return row ? text(row.salt) : null;
}
