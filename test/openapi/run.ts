/** `npm run long -- openapi`: what two linters find in the OpenAPI document. Ends with `N passed, N failed`. */
import assert from "node:assert/strict";
import { validate } from "@readme/openapi-parser";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { openApiDocument } from "../../lib/http/openapi/index.ts";
import { suite } from "../support/suite.ts";

const document = openApiDocument("/api/v1") as { paths: Record<string, Record<string, object>> };

/** The rules of Redocly's strictest set that the document breaks. */
async function problemsOf(openApi: object): Promise<string[]> {
  const config = await createConfig({ extends: ["recommended-strict"] });
  const problems = await lintFromString({ source: JSON.stringify(openApi), absoluteRef: "openapi.json", config });
  return problems.map(({ ruleId }) => ruleId);
}

suite("the OpenAPI document and linters", (test) => {
  test("is a valid one, of version 3.1", async () => {
    const copy = JSON.parse(JSON.stringify(document)) as Parameters<typeof validate>[0];
    assert.deepEqual(await validate(copy), { valid: true, warnings: [], specification: "OpenAPI" });
    assert.equal((document as unknown as { openapi: string }).openapi, "3.1.0");
  });

  test("passes a strict linter", async () => assert.deepEqual(await problemsOf(document), []));

  test("has no two paths that differ by the name of their parameter alone, as the linter would find", async () => {
    const { "/contacts/{identifier}": methods, ...paths } = document.paths;
    const { delete: deletion, ...others } = methods!;
    const apart = { ...paths, "/contacts/{externalId}": others, "/contacts/{identifier}": { delete: deletion } };
    assert.ok((await problemsOf({ ...document, paths: apart })).includes("no-identical-paths"));
  });

  test("is found invalid when it is", async () => {
    const copy = JSON.parse(JSON.stringify({ ...document, paths: { contacts: 1 } })) as Parameters<typeof validate>[0];
    assert.equal((await validate(copy)).valid, false);
  });
});
