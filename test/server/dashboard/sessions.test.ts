import assert from "node:assert/strict";
import { createSessions, sessionCookie, tokensIn } from "../../../server/dashboard/sessions.ts";
import { suite } from "../../support/suite.ts";

const now = Date.parse("2026-11-20T10:00:00.000Z");
const hoursMs = 12 * 3_600_000;
const key = Buffer.alloc(32, 1);

suite("the dashboard's sessions", (test) => {
  test("hold for 12 hours, wherever the key is the same", () => {
    const token = createSessions(key).begin(now);
    const elsewhere = createSessions(Buffer.alloc(32, 1));
    assert.deepEqual(
      [now, now + hoursMs - 1, now + hoursMs, now + hoursMs + 1].map((time) => elsewhere.holds(token, time)),
      [true, true, false, false],
    );
    assert.match(token, /^\d+\.[\w-]{43}$/);
  });

  test("hold nowhere with another key", () => {
    assert.equal(createSessions(Buffer.alloc(32, 2)).holds(createSessions(key).begin(now), now), false);
  });

  test("cannot be made longer or made up", () => {
    const { begin, holds } = createSessions(key);
    const token = begin(now);
    const [ends = "", signature = ""] = token.split(".");
    const others = [
      `${Number(ends) + 1}.${signature}`,
      `0${ends}.${signature}`,
      `${ends}.${signature.slice(0, -1)}`,
      `${ends}.${signature}A`,
      `${ends}.${"A".repeat(43)}`,
      `${ends}.`,
      `.${signature}`,
      `${token}\n`,
      ` ${token}`,
      "",
      "9".repeat(10_000),
    ];
    for (const other of others) assert.equal(holds(other, now), false, other.slice(0, 80));
    assert.equal(holds(token, now), true);
  });

  test("are found in a Cookie header among others", () => {
    assert.deepEqual(tokensIn("a=b; whodid_session=1.x; whodid_session_b=2; xwhodid_session=3;whodid_session=4.y=z"), [
      "1.x",
      "4.y=z",
    ]);
    assert.deepEqual(tokensIn(""), []);
  });

  test("stand in a cookie that scripts and other sites do not get, over HTTPS alone where the browser has it", () => {
    assert.equal(
      sessionCookie("/dashboard", true, "1.x"),
      "whodid_session=1.x; Path=/dashboard; Max-Age=43200; HttpOnly; SameSite=Strict; Secure",
    );
    assert.equal(
      sessionCookie("/dashboard", false),
      "whodid_session=; Path=/dashboard; Max-Age=0; HttpOnly; SameSite=Strict",
    );
  });
});
