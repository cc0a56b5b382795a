import { createApiKey, listApiKeys, ownApiKey, revokeApiKey } from "../../api-keys.ts";
import { created } from "../statuses.ts";
import { route, type Route } from "./route.ts";

export const apiKeyRoutes: readonly Route[] = [
  route("getOwnApiKey", {
    summary: "Get the workspace and the API key of the request.",
    output: { workspace: "WorkspaceName", apiKey: "OwnApiKey" },
    call: ({ scope, apiKey }) => ownApiKey(scope, apiKey),
  }),
  route("listApiKeys", {
    summary: "List the API keys of the workspace, oldest first.",
    output: "ApiKeys",
    call: ({ scope }) => listApiKeys(scope),
  }),
  route("createApiKey", {
    summary:
      "Create an API key. No later answer shows the key. A key with an end or a limit creates no key without them.",
    input: "ApiKeyInput",
    successes: [created],
    output: { key: "ApiKeyText", apiKey: "ApiKey" },
    call: ({ scope, body, apiKey }) => createApiKey(scope, body, apiKey),
  }),
  route("revokeApiKey", {
    summary: "Revoke an API key, for good. The last admin key of the workspace stays.",
    refusals: ["api_key_not_found", "last_admin_key"],
    call: ({ scope, parameters: { id } }) => revokeApiKey(scope, id, true),
  }),
];
