import type { Test } from "../support/suite.ts";
import { accessCases } from "./cases/access.ts";
import { batchCases, batchLimitCases } from "./cases/batches.ts";
import { bodyCases } from "./cases/bodies.ts";
import { contactCases } from "./cases/contacts.ts";
import { putCases } from "./cases/puts.ts";
import { definitionCases } from "./cases/definitions.ts";
import { errorCases } from "./cases/errors.ts";
import { eventShapeCases } from "./cases/event-shapes.ts";
import { eventTypeCases } from "./cases/event-types.ts";
import { eventCases } from "./cases/events.ts";
import { idempotencyCases, idempotencyKeyCases } from "./cases/idempotency.ts";
import { keyCases } from "./cases/keys.ts";
import { mediaTypeCases } from "./cases/media-types.ts";
import { methodCases } from "./cases/methods.ts";
import { orderOfConflictsCases } from "./cases/order-of-conflicts.ts";
import { orderCases } from "./cases/order.ts";
import { parkedCases } from "./cases/parked.ts";
import { pathCases } from "./cases/paths.ts";
import { rateLimitCases } from "./cases/rate-limit.ts";
import { readingCases } from "./cases/reading.ts";
import { subscriptionCases } from "./cases/subscriptions.ts";
import { valueCases } from "./cases/values.ts";
import type { OpenDoor } from "./door.ts";

const written = [
  contactCases,
  putCases,
  eventCases,
  eventTypeCases,
  idempotencyCases,
  readingCases,
  orderOfConflictsCases,
  valueCases,
  parkedCases,
];
const withKeys = [
  accessCases,
  batchCases,
  idempotencyKeyCases,
  keyCases,
  definitionCases,
  subscriptionCases,
  rateLimitCases,
];
/** What HTTP decides itself, whatever the storage is. */
const shapes = [eventShapeCases, bodyCases, mediaTypeCases];
const doors = [batchLimitCases, orderCases, pathCases, methodCases, errorCases];

/** What the HTTP API promises, by whatever way a request comes in. */
export function httpCases(test: Test, open: OpenDoor): void {
  for (const cases of [...written, ...shapes, ...withKeys, ...doors]) cases(test, open);
}

/** The cases whose answers a storage decides. */
export function storedCases(test: Test, open: OpenDoor): void {
  for (const cases of [...written, ...withKeys]) cases(test, open);
}

/** The cases that hold without an API key, too: those of what is written, refused and read. */
export function contentCases(test: Test, open: OpenDoor): void {
  for (const cases of [...written, ...shapes]) cases(test, open);
}
