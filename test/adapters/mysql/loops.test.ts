import { createTracker } from "../../../lib/index.ts";
import { loopCases } from "../../support/loops.ts";
import { database, databaseSuite, openMysql } from "../../support/mysql.ts";

databaseSuite("loops over lists on MySQL", await database(), (test, server) =>
  loopCases(test, async () => {
    const { storage, dispose } = await openMysql(server);
    return { tracker: createTracker({ storage }), dispose };
  }),
);
