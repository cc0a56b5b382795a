import assert from "node:assert/strict";
import { contactsScannedAtOnce, sortedHitsMax } from "../../../../adapters/mysql/limits.ts";
import { createTracker, type Contact, type ContactPageRequest } from "../../../../lib/index.ts";
import { database, databaseSuite, openMysql } from "../../../support/mysql.ts";

databaseSuite("searching many contacts on MySQL", await database(), (test, server) => {
  test("a page looks at some contacts, is short or empty, and the next one goes on", async () => {
    const { storage, pool, dispose } = await openMysql(server);
    try {
      // Nina Berg, then more contacts than one page looks at, then more hits than are sorted.
      const early = contactsScannedAtOnce + 5;
      const all = early + sortedHitsMax + 5;
      await pool.query(
        `INSERT INTO whodid_contacts (id, workspace, email, name, attributes, created_at, updated_at)
         WITH RECURSIVE digits AS (SELECT 0 AS d UNION ALL SELECT d + 1 FROM digits WHERE d < 9)
         SELECT UNHEX(LPAD(HEX(n), 32, '0')), 'default', CONCAT('p', n, '@example.com'),
           IF(n = 0, 'Nina Berg', IF(n < ?, 'Ann Early', 'Zeta Late')), '{}', n DIV 7, 0
         FROM (SELECT a.d + 10 * b.d + 100 * c.d + 1000 * d.d + 10000 * e.d AS n
           FROM digits a, digits b, digits c, digits d, digits e) numbered WHERE n < ?`,
        [early, all],
      );
      const { contacts } = createTracker({ storage });
      const pages = async (page: ContactPageRequest, count: number): Promise<string[][]> => {
        const read: string[][] = [];
        for (let cursor: string | undefined; read.length < count;) {
          const { items, nextCursor } = await contacts.list({ limit: 2, ...page, cursor });
          read.push(items.map(({ email }) => email.slice(0, email.indexOf("@"))));
          if (nextCursor === null) break;
          cursor = nextCursor;
        }
        return read;
      };
      // By beginnings, then by words.
      assert.deepEqual(await pages({ query: "zeta" }, 3), [
        [],
        [`p${early}`, `p${early + 1}`],
        [`p${early + 2}`, `p${early + 3}`],
      ]);
      assert.deepEqual(await pages({ query: "berg" }, 9), [["p0"], []]);
      assert.deepEqual(await pages({ query: "berg", order: "newest" }, 9), [[], ["p0"]]);
      assert.deepEqual(await pages({ query: "late", limit: 1 }, 2), [[], [`p${early}`]]);
      const each: Contact[] = [];
      for await (const contact of contacts.each({ query: "late" })) each.push(contact);
      assert.deepEqual([each.length, each.at(-1)?.email], [all - early, `p${all - 1}@example.com`]);
    } finally {
      await dispose();
    }
  });
});
