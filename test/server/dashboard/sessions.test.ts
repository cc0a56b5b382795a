import assert from "node:assert/strict";
import { createBrowsers } from "../../../server/dashboard/browsers.ts";
import { setCookie, valuesIn } from "../../../server/dashboard/cookies.ts";
import { createSessions } from "../../../server/dashboard/sessions.ts";
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
    const cookies = "a=b; whodid_session=1.x; whodid_session_b=2; xwhodid_session=3;whodid_session=4.y=z";
    assert.deepEqual(valuesIn(cookies, "whodid_session"), ["1.x", "4.y=z"]);
    assert.deepEqual(valuesIn("", "whodid_session"), []);
  });

  test("stand in a cookie that scripts and other sites do not get, over HTTPS alone where the browser has it", () => {
    assert.equal(
      setCookie({ name: "a", value: "1.x", path: "/dashboard", maxAgeSeconds: 43_200, isHttps: true }),
      "a=1.x; Path=/dashboard; Max-Age=43200; HttpOnly; SameSite=Strict; Secure",
    );
    assert.equal(
      setCookie({ name: "a", value: "", path: "/dashboard", maxAgeSeconds: 0, isHttps: false }),
      "a=; Path=/dashboard; Max-Age=0; HttpOnly; SameSite=Strict",
    );
  });
});

suite("the dashboard's known browsers", (test) => {
  test("each have an id of their own, signed with the key", () => {
    const { begin, knows } = createBrowsers(key);
    const token = begin();
    assert.notEqual(token, begin());
    assert.match(token, /^[\w-]{22}\.[\w-]{43}$/);
    assert.deepEqual([knows(token), createBrowsers(Buffer.alloc(32, 2)).knows(token)], [true, false]);
    for (const other of [
      "",
      `A${token.slice(1)}`,
      `${token}A`,
      token.slice(0, -1),
      `${"A".repeat(22)}.${"A".repeat(43)}`,
    ])
      assert.equal(knows(other), other === token, other);
  });

  test("have no session by their id", () => {
    const { begin, holds } = createSessions(key);
    const digits = "9".repeat(16);
    const [, signature] = createBrowsers(key).begin().split(".");
    assert.equal(holds(`${digits}.${signature}`, now), false);
    assert.equal(createBrowsers(key).knows(begin(now)), false);
  });
});
