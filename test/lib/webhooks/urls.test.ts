import assert from "node:assert/strict";
import { textOf } from "../../../lib/input/fields.ts";
import { check } from "../../../lib/input/shapes.ts";
import { webhookUrlMaxBytes } from "../../../lib/model/limits.ts";
import { originOf, readAllowedHosts, webhookUrlProblem, type AllowedHosts } from "../../../lib/webhooks/urls.ts";
import { suite } from "../../support/suite.ts";

const none: AllowedHosts = new Set();
const allow = readAllowedHosts(["127.0.0.1:80", "Intranet:8080", "[0::1]:443", "partner.example:22"])!;

/** 40 hosts of a URL that mean 127.0.0.1, or lead to it by IPv6. */
const spellings = `127.0.0.1 127.0.0.1. 127.1 127.0.1 127.000.000.001 0177.0.0.1 0177.0.0.01 0177.1 00000177.0.0.1
  0177.0x0.0.1 0x7f.0.0.1 0X7F.0.0.1 0x7f.1 0x7f.0x0.0x0.0x1 0x7f.0.1 0x7f000001 0x7F000001. 0x000000007f000001
  2130706433 017700000001 0017700000001 127.0x1 127.0.01 127.0.0.0x1 %31%32%37.0.0.1 127%2e0%2e0%2e1 0x7f%2E1
  １２７.0.0.1 127。0。0。1 127．0．0．1 ①②⑦.0.0.1 0ｘ7f.1 127.0.0.1\u00ad [::1] [0:0:0:0:0:0:0:1] [::127.0.0.1]
  [::ffff:127.0.0.1] [::ffff:7f00:1] [64:ff9b::127.0.0.1] [2002:7f00:1::]`.split(/\s+/);

const hasUser = "Must be a URL without user name and password.";
const hasFragment = "Must be a URL without a fragment.";
const hasPort = "Must be a URL with port 443, or one above 1023.";

/** What is taken or refused, by which allowed hosts, the explanation, and URLs with a space between. */
const cases: [what: string, by: AllowedHosts, explanation: string | null, urls: string[]][] = [
  [
    "https, a name or a public address, and port 443 or one above 1023",
    none,
    null,
    `https://partner.example HTTPS://Partner.Example:443/hooks/%C3%A9?key=1 https://bücher.example/hooks
     https://partner.example:1024/ https://partner.example:65535 https://8.8.8.8 https://[2600::1]:8443`.split(/\s+/),
  ],
  [
    "an allowed host and its port, of any scheme and address",
    allow,
    null,
    `http://127.0.0.1/ http://0x7f.1:80/ http://intranet:8080/hooks https://intranet:8080 https://[::1]/
     https://partner.example:22`.split(/\s+/),
  ],
  [
    "another scheme, or no URL",
    none,
    "Must be an absolute https URL without spaces.",
    ["", " https://a.example", "https://a.example/a b", "https://a.example/\n", "https://a\t.example"].concat(
      `a.example //a.example https:a.example https:/a.example https:// http://a.example ftp://a.example
       javascript://a.example https://a.example:65536 https://[::1`.split(/\s+/),
    ),
  ],
  [
    "a host that is not quite the allowed one",
    allow,
    "Must be an absolute https URL without spaces.",
    `http://127.0.0.1:8080/ http://intranet/ http://intranet:80800/ http://sub.intranet:8080/ http://[::1]/
     http://intranet.example:8080/ ftp://intranet:8080/`.split(/\s+/),
  ],
  ["a user name", allow, hasUser, ["https://ada@a.example", "https://:secret@a.example", "http://ada@intranet:8080/"]],
  ["a fragment", allow, hasFragment, ["https://a.example/#", "https://a.example/#b", "http://intranet:8080/#"]],
  ["a port up to 1023", none, hasPort, [0, 22, 80, 442, 444, 1_023].map((port) => `https://a.example:${port}`)],
  [
    "an address that is not public, such as 127.0.0.1 in 40 spellings",
    none,
    "Must be a URL whose host has a public address.",
    ["10.0.0.1", "169.254.169.254", "[::ffff:8.8.8.8]", ...spellings].map((host) => `https://${host}:8443/`),
  ],
];

suite("the URL of a webhook", (test) => {
  for (const [what, by, explanation, urls] of cases) {
    test(`${explanation === null ? "may have" : "must not have"} ${what}`, () => {
      const expected = explanation === null ? null : { message: "invalid_format", explanation };
      for (const url of urls) assert.deepEqual(webhookUrlProblem(url, by), expected, url);
    });
  }

  test("has at most 2,048 bytes, as a field of an input", () => {
    const struct = textOf("a URL", webhookUrlMaxBytes, (value) => webhookUrlProblem(value, none));
    const longest = `https://partner.example/${"x".repeat(2_024)}`;
    const codes = [longest, `${longest}x`, "http://a.example"].map((url) => check(url, struct).issues[0]?.code);
    assert.deepEqual([...codes, new Set(spellings).size], [undefined, "too_long", "invalid_format", 40]);
  });

  test("shows its origin alone", () => {
    const urls = ["https://A.example:443/b?key=secret", "http://[0::1]:81/x", "https://ada:secret@a.example", "no URL"];
    assert.deepEqual(urls.map(originOf), ["https://a.example", "http://[::1]:81", "https://a.example", "null"]);
  });
});

suite("allowed hosts", (test) => {
  test("are read as URLs have them, and refused if one is not a host with its port", () => {
    assert.deepEqual(
      readAllowedHosts(["Localhost:8080", "0x7f.1:80", "[0:0::1]:443", "bücher.example:443"]),
      new Set(["localhost:8080", "127.0.0.1:80", "[::1]:443", "xn--bcher-kva.example:443"]),
    );
    const refused = "localhost :8080 localhost: localhost:x localhost:65536 *:8080 ada@localhost:8080 localhost/:8080";
    for (const entry of ["", " a:80", "http://localhost:8080", "::1:8080", ...refused.split(" ")]) {
      assert.equal(readAllowedHosts(["intranet:8080", entry]), null, entry);
    }
  });
});
