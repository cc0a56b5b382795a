import { database, databaseSuite } from "../../../support/mysql.ts";
import { roundTripCases } from "../../../support/round-trips.ts";

databaseSuite("statements in one round trip", await database(), roundTripCases);
