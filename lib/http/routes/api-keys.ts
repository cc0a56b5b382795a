import { createApiKey, listApiKeys, ownApiKey, revokeApiKey } from "../../api-keys.ts";
import { created, ok } from "../statuses.ts";
import type { Route } from "./route.ts";
import { at } from "./table.ts";

export const apiKeyRoutes: readonly Route[] = [
  {
    ...at("getOwnApiKey"),
    query: {},
    summary: "Get the workspace and the API key of the request.",
    successes: [ok],
    output: { workspace: "WorkspaceName", apiKey: "OwnApiKey" },
    refusals: [],
    run: async ({ scope, apiKey }) => ({ status: ok, body: await ownApiKey(scope, apiKey) }),
  },
  {
    ...at("listApiKeys"),
    query: {},
    summary: "List the API keys of the workspace, oldest first.",
    successes: [ok],
    output: { items: "ApiKeys" },
    refusals: [],
    run: async ({ scope }) => ({ status: ok, body: { items: await listApiKeys(scope) } }),
  },
  {
    ...at("createApiKey"),
    query: {},
    summary:
      "Create an API key. No later answer shows the key. A key with an end or a limit creates no key without them.",
    input: "NewApiKey",
    successes: [created],
    output: { key: "ApiKeyText", apiKey: "ApiKey" },
    refusals: [],
    run: async ({ scope, body, apiKey }) => ({ status: created, body: await createApiKey(scope, body, apiKey) }),
  },
  {
    ...at("revokeApiKey"),
    query: {},
    summary: "Revoke an API key, for good. The last admin key of the workspace stays.",
    successes: [ok],
    output: {},
    refusals: ["api_key_not_found", "last_admin_key"],
    async run({ scope, parameters }) {
      await revokeApiKey(scope, parameters["id"], true);
      return { status: ok, body: {} };
    },
  },
];
