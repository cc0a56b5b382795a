/** Makes executors from the transactions of ORMs. */
export { fromDrizzle } from "./drizzle.ts";
export { fromKnex } from "./knex.ts";
export { fromKysely } from "./kysely.ts";
export { fromTypeorm } from "./typeorm.ts";
