export { apiKeys, rateLimits } from "./keys.ts";
export { salts } from "./salts.ts";
