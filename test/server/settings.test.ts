import assert from "node:assert/strict";
import { readSettings, CommandError, type Settings } from "../../server/settings.ts";
import { suite } from "../support/suite.ts";

const defaults: Settings = {
  host: "127.0.0.1",
  port: 3_000,
  databaseUrl: null,
  tablePrefix: "whodid_",
  webhookAllow: new Set(),
  apiKey: null,
  rateLimit: { requests: 100, perSeconds: 60 },
  metricsAt: null,
  provision: null,
  undefinedEvents: "accept",
  works: true,
  hasDashboard: true,
  tokenVisitors: null,
};

suite("the server's settings", (test) => {
  test("have these defaults", () => assert.deepEqual(readSettings({}), defaults));

  test("count as unset when empty", () => {
    const names = [
      "PORT",
      "HOST",
      "DATABASE_URL",
      "API_KEY",
      "RATE_LIMIT",
      "METRICS",
      "PROVISION",
      "UNDEFINED_EVENTS",
      "WORK",
      "DASHBOARD",
      "WEBHOOK_ALLOW",
      "VISITOR_SECRETS",
      "VISITOR_EVENTS",
      "VISITOR_CHECKLISTS",
      "VISITOR_ORIGINS",
      "VISITOR_CREATE",
    ];
    assert.deepEqual(readSettings(Object.fromEntries(names.map((name) => [name, ""]))), defaults);
  });

  test("are read from their variables", () => {
    const apiKey = `sk_${"A".repeat(43)}`;
    const environment = {
      PORT: "8080",
      HOST: "0.0.0.0",
      DATABASE_URL: "mysql://localhost/whodid",
      TABLE_PREFIX: "w_",
      API_KEY: apiKey,
      RATE_LIMIT: "5000",
      METRICS: "9100",
      PROVISION: "definitions.json",
      UNDEFINED_EVENTS: "refuse",
      WORK: "off",
      DASHBOARD: "off",
      WEBHOOK_ALLOW: "Hooks.intranet:80,[::1]:9090,0x7f.1:8080",
    };
    assert.deepEqual(readSettings(environment), {
      port: 8_080,
      host: "0.0.0.0",
      databaseUrl: "mysql://localhost/whodid",
      tablePrefix: "w_",
      webhookAllow: new Set(["hooks.intranet:80", "[::1]:9090", "127.0.0.1:8080"]),
      apiKey,
      rateLimit: { requests: 5_000, perSeconds: 60 },
      metricsAt: { host: "127.0.0.1", port: 9_100 },
      provision: "definitions.json",
      undefinedEvents: "refuse",
      works: false,
      hasDashboard: false,
      tokenVisitors: null,
    });
  });

  for (const [value, host, port] of [
    ["0", "127.0.0.1", 0],
    ["80", "127.0.0.1", 80],
    ["0.0.0.0:9100", "0.0.0.0", 9_100],
    ["metrics.intranet:80", "metrics.intranet", 80],
    ["[::1]:9100", "::1", 9_100],
    ["[::]:0", "::", 0],
  ] as const) {
    test(`take a host and a port for METRICS, or a port of 127.0.0.1: ${value}`, () => {
      assert.deepEqual(readSettings({ METRICS: value }).metricsAt, { host, port });
    });
  }

  for (const [mistyped, meant] of [
    ["DATABSE_URL", "DATABASE_URL"],
    ["DATABASSE_URL", "DATABASE_URL"],
    ["DATABASE_ULR", "DATABASE_URL"],
    ["DATABASE_URl", "DATABASE_URL"],
    ["DATABASE_URL_", "DATABASE_URL"],
    ["TABLE_PREFFIX", "TABLE_PREFIX"],
    ["API_KEYS", "API_KEY"],
    ["NETRICS", "METRICS"],
    ["UNDEFINED_EVENT", "UNDEFINED_EVENTS"],
    ["DASHBORD", "DASHBOARD"],
  ] as const) {
    const isAsked = new RegExp(`^${mistyped}: did you mean ${meant}\\?$`);
    test(`refuse ${mistyped} where ${meant} is not set`, () =>
      assertRefused({ [mistyped]: "x", [meant]: "" }, isAsked));
  }

  test("take no notice of a likely variable that is short, empty, two letters off, or beside the right one", () => {
    const others = { POST: "1", HOSTS: "a", DATABSE_URL: "", DATABSE_ULR: "x", RATE_LIMITS: "9", RATE_LIMIT: "7" };
    assert.deepEqual(readSettings(others), readSettings({ RATE_LIMIT: "7" }));
  });

  test("refuse to keep everything in memory in production, unless STORAGE says so", () => {
    const production = { NODE_ENV: "production" };
    assertRefused(production, /^Set DATABASE_URL\. With STORAGE=memory everything is lost when the process ends\.$/);
    assertRefused({ ...production, STORAGE: "mysql" }, /^Set DATABASE_URL\. /);
    assert.equal(readSettings({ ...production, STORAGE: "memory" }).databaseUrl, null);
    const DATABASE_URL = "mysql://localhost/whodid";
    assert.equal(readSettings({ ...production, DATABASE_URL }).databaseUrl, DATABASE_URL);
  });

  for (const [name, message, values] of [
    [
      "DATABASE_URL",
      /^DATABASE_URL must be/,
      [
        "x",
        "postgres://localhost/whodid",
        "mysql://localhost",
        "mysql://localhost/",
        "mysql:///whodid",
        "mysql://a,b",
        "mysql://,b/whodid",
        "postgres://a,b/whodid",
      ],
    ],
    ["TABLE_PREFIX", /^TABLE_PREFIX must be/, ["w-", "a b", "`", "x".repeat(41)]],
    ["DASHBOARD", /^DASHBOARD must be `on` or `off`\.$/, ["yes", "ON", "0"]],
    ["WORK", /^WORK must be `on` or `off`\.$/, ["false"]],
    [
      "METRICS",
      /^METRICS must be [^\n]+\.$/,
      [
        "on",
        "-1",
        "65536",
        " 80",
        "80\n",
        ":9100",
        "::1:9100",
        "[::1]",
        "localhost",
        "a:65536",
        "a b:80",
        "http://a:80",
      ],
    ],
    [
      "PORT",
      /^PORT must be [^\n]+\.$/,
      ["-1", "65536", "3000.5", "3e3", "0xbb8", "+80", " 80", "80 ", "80\n", "http", "NaN", "٣"],
    ],
    [
      "WEBHOOK_ALLOW",
      /^WEBHOOK_ALLOW must be hosts with ports, such as [^\n]+\.$/,
      ["localhost", "localhost:http", "http://localhost:80", "a:80,", "a:80, b:80", "a:99999"],
    ],
    [
      "UNDEFINED_EVENTS",
      /^UNDEFINED_EVENTS must be `accept` or `refuse`\.$/,
      ["Refuse", "refuse ", "reject", "true", "1"],
    ],
    [
      "RATE_LIMIT",
      /^RATE_LIMIT must be [^\n]+`off`\.$/,
      ["0", "-1", "1.5", "1000000001", "99999999999999999999", "1e3", "Off", "false", "none", "100/s", " "],
    ],
  ] as const)
    for (const value of values)
      test(`refuse ${JSON.stringify(value)} for ${name}`, () => assertRefused({ [name]: value }, message));

  test("take a port, a limit and a URL of several hosts", () => {
    for (const port of [0, 1, 80, 65_535]) assert.equal(readSettings({ PORT: String(port) }).port, port);
    assert.equal(readSettings({ RATE_LIMIT: "off" }).rateLimit, false);
    for (const requests of [1, 100, 1_000_000_000])
      assert.deepEqual(readSettings({ RATE_LIMIT: String(requests) }).rateLimit, { requests, perSeconds: 60 });
    for (const url of [
      "mysql://u:p@a:3306,b:3306,c/whodid?ssl={}",
      "mysql://[::1]:3306,[::2]/whodid",
      "mysql://u:p,q@a/w",
    ])
      assert.equal(readSettings({ DATABASE_URL: url }).databaseUrl, url);
  });

  test("have the options of visitors with tokens, which are none without VISITOR_SECRETS", () => {
    const [first, second, third] = [1, 2, 3].map((n) => `vs_${String(n).repeat(43)}`) as [string, string, string];
    const basePath = "/visitors";
    const unset = { basePath, events: undefined, checklists: undefined, origins: undefined, create: false };
    const VISITOR_SECRETS = `default:${first},acme:${second}, default:${third}`;
    const secrets = { default: [first, third], acme: [second] };
    assert.deepEqual(readSettings({ VISITOR_SECRETS }).tokenVisitors, { ...unset, secrets });
    const lists = {
      VISITOR_EVENTS: "a, b",
      VISITOR_CHECKLISTS: "c",
      VISITOR_ORIGINS: "https://d.example,http://e:8080",
    };
    const others = { ...lists, VISITOR_CREATE: "on" };
    const origins = ["https://d.example", "http://e:8080"];
    const read = { basePath, secrets, events: ["a", "b"], checklists: ["c"], origins, create: true };
    assert.deepEqual(readSettings({ VISITOR_SECRETS, ...others }).tokenVisitors, read);
    assert.equal(readSettings(others).tokenVisitors, null);
    const three = [first, second, third].map((secret) => `default:${secret}`).join();
    const weak = [`default:${first.slice(0, -1)}`, `default:sk_${first.slice(3)}`];
    for (const wrong of [first, ...weak, `Default:${first}`, `default:${first},`, three])
      assertRefused({ VISITOR_SECRETS: wrong }, /^VISITOR_SECRETS must be (?![^]*111)[^\n]+\.$/);
    for (const origin of ["*", "null", "https://app.example/", "https://a.example,*"])
      assertRefused({ VISITOR_ORIGINS: origin }, /^VISITOR_ORIGINS must be [^\n]+\.$/);
    assertRefused({ VISITOR_CREATE: "yes" }, /^VISITOR_CREATE must be `off` or `on`\.$/);
  });
});

/** Refused, and without repeating the value. */
function assertRefused(environment: Record<string, string>, message: RegExp): void {
  assert.throws(
    () => readSettings(environment),
    (error) => error instanceof CommandError && message.test(error.message),
  );
}
