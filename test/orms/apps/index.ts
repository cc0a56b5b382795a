/** The ORMs that the tests run, in the order of the table. */
import type { Orm } from "../orm.ts";
import { orm as drizzle } from "./drizzle.ts";
import { orm as knex } from "./knex.ts";
import { controlled as controlledKysely, orm as kysely } from "./kysely.ts";
import { orm as mikro } from "./mikro-orm.ts";
import { orm as prisma } from "./prisma.ts";
import { orm as sequelize } from "./sequelize.ts";
import { orm as typeorm } from "./typeorm.ts";

export const orms: readonly Orm[] = [drizzle, knex, kysely, controlledKysely, typeorm, sequelize, mikro, prisma];
