import type { SchemaName } from "../openapi/schemas.ts";
import type { QueryTypes } from "../query.ts";

/** The query parameters of a route that answers pages. */
export const pageQuery: QueryTypes = { limit: "number", cursor: "text" };

/** The output of a route that answers a page of these items. */
export function pageOutput(items: SchemaName): Record<"items" | "nextCursor", SchemaName> {
  return { items, nextCursor: "NextCursor" };
}
