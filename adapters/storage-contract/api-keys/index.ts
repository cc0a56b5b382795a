export { apiKeys, rateLimits } from "./keys.ts";
