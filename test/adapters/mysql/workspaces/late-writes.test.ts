import { lateWriteCases } from "../../../support/late-writes.ts";
import { database, databaseSuite } from "../../../support/mysql.ts";

databaseSuite({ name: "late writes", atOnce: 3 }, await database(), lateWriteCases);
