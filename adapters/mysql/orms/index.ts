/** Executors on the transactions of ORMs, by what each ORM documents. */
export { fromDrizzle } from "./drizzle.ts";
export { fromKnex } from "./knex.ts";
export { fromKysely } from "./kysely.ts";
export { fromTypeorm } from "./typeorm.ts";
