export { callOrder } from "./call-order.ts";
export { contactQueries } from "./queries.ts";
export { deletions } from "./deletions.ts";
export { identifiers } from "./lookups.ts";
export { patches } from "./updates.ts";
export { puts } from "./puts.ts";
export { conflicts, upserts } from "./upserts.ts";
