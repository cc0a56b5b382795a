export { endpointStates, webhooks } from "./webhooks.ts";
export { webhookSecrets } from "./secrets.ts";
