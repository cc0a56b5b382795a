import { PrismaMariaDb } from "@prisma/adapter-mariadb";
import type { Executor } from "whodid/mysql";
import { PrismaClient, type Prisma } from "../examples/generated/client.ts";
import type { OpenedOrm, Orm, OrmTransaction } from "../orm.ts";

interface Opened extends OpenedOrm {
  prisma: PrismaClient;
}

const poolOptions: Record<string, string> = {
  "numbers as texts": "&supportBigNumbers=true&bigNumberStrings=true&decimalAsNumber=false",
  "foundRows off": "&foundRows=false",
};

/** Prisma's own limits of a transaction are shorter than some tests. */
const limits = { maxWait: 60_000, timeout: 60_000 };

export const orm: Orm = {
  name: "Prisma",
  example: "prisma.js",
  nests: true,
  waits: false,
  escapes: true,
  ownEnd: /Transaction already closed/,
  async open(url, setting = ""): Promise<Opened> {
    // The pool forgets connections that it is opening when it ends: it opens none ahead of their use.
    const pool = `${url}?connectionLimit=20&minimumIdle=1${poolOptions[setting] ?? ""}`;
    const client = new PrismaClient({ adapter: new PrismaMariaDb(pool, { useTextProtocol: true }) });
    const prisma = setting === "an extension that renames columns" ? renaming(client) : client;
    await prisma.$connect();
    return {
      prisma,
      transaction: (run) => prisma.$transaction((tx) => run(describe(tx)), limits),
      close: () => prisma.$disconnect(),
    };
  },
  wrong: (opened) => {
    const { prisma } = opened as Opened;
    const sentence = /This is of Prisma: pass \{ execute \} on the tx of \$transaction/;
    return {
      "the client": { pass: (within) => within(prisma), sentence },
      "a transaction by itself": {
        pass: (within) => prisma.$transaction(async (tx) => void within(tx)),
        sentence,
      },
    };
  },
  settings: {
    "an extension that renames columns": /columns under their own names/,
    "numbers as texts": null,
    "foundRows off": null,
  },
};

/** Columns in upper case. */
function renaming(client: PrismaClient): PrismaClient {
  const extended = client.$extends({
    query: {
      async $queryRawUnsafe({ args, query }) {
        const rows = (await query(args)) as Record<string, unknown>[];
        return rows.map((row) =>
          Object.fromEntries(Object.entries(row).map(([name, value]) => [name.toUpperCase(), value])),
        );
      },
    },
  });
  return extended as unknown as PrismaClient;
}

/** As in the example. */
function executorOn(tx: Prisma.TransactionClient): Executor {
  return {
    async execute(sql, values) {
      const isQuery = /^(?:\/\*.*?\*\/ )*SELECT/.test(sql);
      if (isQuery) return tx.$queryRawUnsafe(sql, ...values);
      return { affectedRows: await tx.$executeRawUnsafe(sql, ...values) };
    },
  };
}

function describe(tx: Prisma.TransactionClient): OrmTransaction {
  return {
    executor: executorOn(tx),
    run: (text) => tx.$executeRawUnsafe(text),
    nested: (run) => tx.$transaction((inner) => run(describe(inner))),
  };
}
