import assert from "node:assert/strict";
import { database, databaseSuite } from "../../support/mysql.ts";
import { codeOf } from "../../support/raw-connection.ts";
import { withServer } from "../../support/server-process.ts";
import { suite } from "../../support/suite.ts";
import { withHttpServer, type InProcess } from "../in-process.ts";
import {
  cookieFrom,
  cookiesOf,
  logIn,
  password,
  read,
  setting,
  tryWrong,
  useUpTries,
  withDashboard,
} from "./logging-in.ts";

// Before the first suite: one that is defined after a pause starts a run of its own.
const server = await database();

suite("the log-in of the dashboard", (test) => {
  test(
    "keeps its cookies to HTTPS where a trusted proxy says that the browser has it",
    withDashboard(async ({ ask }) => {
      for (const proto of ["https", "http"]) {
        const { headers } = await logIn(ask, password, { "X-Forwarded-Proto": proto });
        const secure = headers.getSetCookie().map((cookie) => cookie.endsWith("; Secure"));
        assert.deepEqual(secure, [proto === "https", proto === "https"]);
      }
    }, 1),
  );

  test(
    "does not believe an X-Forwarded-Proto where it trusts no proxy",
    withDashboard(async ({ ask }) => {
      const { headers } = await logIn(ask, password, { "X-Forwarded-Proto": "https" });
      assert.equal(headers.get("set-cookie")!.includes("Secure"), false);
    }),
  );

  test(
    "refuses the tries of a client that has too many waiting, and lets another in at its turn",
    withDashboard(async ({ ask }) => {
      const from = (client: string): Record<string, string> => ({ "X-Forwarded-For": client });
      const answered = tryWrong(ask, 8, () => from("203.0.113.7"));
      assert.equal((await logIn(ask, password, from("203.0.113.8"))).status, 200);
      const limited = answered.filter(({ status }) => status === 429);
      assert.deepEqual([limited.length, answered.length <= 4], [2, true]);
      for (const answer of limited) {
        assert.deepEqual([codeOf(answer), answer.headers.get("retry-after")], ["rate_limited", "5"]);
      }
    }, 1),
  );

  test("counts the tries of whoever forges X-Forwarded-For by the connection, or by what the trusted proxies have added", async () => {
    for (const [trustedProxies, added] of [
      [null, ""],
      [1, ", 203.0.113.7"],
      [2, ", 203.0.113.7, 10.0.0.2"],
    ] as const) {
      await withDashboard(async ({ ask }) => {
        await useUpTries(ask, (n) => ({ "X-Forwarded-For": `198.51.100.${n}${added}` }));
      }, trustedProxies)();
    }
  });

  test(
    "lets a browser in again, which has logged in before, while others of its address use up all tries",
    withDashboard(async ({ ask }) => {
      const Cookie = cookiesOf(await logIn(ask, password));
      await useUpTries(ask);
      const again = await logIn(ask, password, { Cookie });
      assert.equal(again.status, 200);
      const [, browser] = cookiesOf(again).split("; ");
      assert.ok(Cookie.endsWith(browser!));
      // The id opens nothing by itself.
      assert.equal(codeOf(await read(ask, browser!)), "forbidden");
    }),
  );

  test("knows a browser until the password changes", async () => {
    let Cookie = "";
    const browserAfter = async (dashboardPassword: string): Promise<string | undefined> => {
      const run = async ({ ask }: InProcess): Promise<void> => {
        Cookie = cookiesOf(await logIn(ask, dashboardPassword, { Cookie }));
      };
      await withHttpServer(run, { dashboardPassword })();
      return Cookie.split("; ")[1];
    };
    const first = await browserAfter(password);
    assert.equal(await browserAfter(password), first);
    assert.notEqual(await browserAfter(`${password}!`), first);
  });

  test(
    "says once that it ignores X-Forwarded-For, until TRUSTED_PROXIES is set",
    withServer(async ({ ask, output }) => {
      for (let n = 0; n < 2; n++) await logIn(ask, password, { "X-Forwarded-For": "203.0.113.7" });
      const lines = output.stderr.split("\n").filter((line) => line.includes('"warning"'));
      assert.equal(lines.length, 1, output.stderr);
      assert.match(lines[0]!, /"message":"X-Forwarded-For is ignored: set TRUSTED_PROXIES to the number of proxies/);
      assert.equal(lines[0]!.includes("203.0.113.7"), false);
    }, setting),
  );

  test(
    "says nothing of X-Forwarded-For where TRUSTED_PROXIES is 0",
    withServer(
      async ({ ask, output }) => {
        await logIn(ask, password, { "X-Forwarded-For": "203.0.113.7" });
        assert.equal(output.stderr.includes("X-Forwarded-For"), false);
      },
      { ...setting, TRUSTED_PROXIES: "0" },
    ),
  );

  test("ends a session on memory with its process, even with the same password", async () => {
    let cookie = "";
    await withServer(async ({ ask }) => void (cookie = await cookieFrom(ask)), setting)();
    await withServer(async ({ ask }) => assert.equal((await read(ask, cookie)).status, 403), setting)();
  });
});

databaseSuite("the dashboard's sessions on a database", server, (test, { createDatabase }) => {
  test("hold over a restart and in every server of the database, until the password changes, and on no other", async () => {
    const [own, other] = [await createDatabase(), await createDatabase()];
    const status = async (DATABASE_URL: string, cookie: string, changed = {}): Promise<number> => {
      let answered = 0;
      const environment = { ...setting, API_KEY: `sk_${"A".repeat(43)}`, DATABASE_URL, ...changed };
      await withServer(async ({ ask }) => void (answered = (await read(ask, cookie)).status), environment)();
      return answered;
    };
    let cookie = "";
    await withServer(
      async ({ ask }) => {
        cookie = await cookieFrom(ask);
        assert.equal(await status(own, cookie), 200);
      },
      { ...setting, API_KEY: `sk_${"A".repeat(43)}`, DATABASE_URL: own },
    )();
    assert.equal(await status(own, cookie), 200);
    assert.equal(await status(own, cookie, { DASHBOARD_PASSWORD: `${password}!` }), 403);
    assert.equal(await status(other, cookie), 403);
  });
});
