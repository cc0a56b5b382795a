import type { Test } from "../support/suite.ts";
import { accessCases } from "./cases/access.ts";
import { attributeCases } from "./cases/attributes.ts";
import { batchCases } from "./cases/batches.ts";
import { bodyCases } from "./cases/bodies.ts";
import { contactCases } from "./cases/contacts.ts";
import { putCases } from "./cases/puts.ts";
import { definitionCases } from "./cases/definitions.ts";
import { errorCases } from "./cases/errors.ts";
import { eventShapeCases } from "./cases/event-shapes.ts";
import { eventTypeCases } from "./cases/event-types.ts";
import { eventCases } from "./cases/events.ts";
import { externalIdCases } from "./cases/external-ids.ts";
import { idempotencyKeyCases } from "./cases/idempotency-keys.ts";
import { idempotencyCases } from "./cases/idempotency.ts";
import { keyCases } from "./cases/keys.ts";
import { mediaTypeCases } from "./cases/media-types.ts";
import { methodCases } from "./cases/methods.ts";
import { numberCases } from "./cases/numbers.ts";
import { orderOfConflictsCases } from "./cases/order-of-conflicts.ts";
import { orderCases } from "./cases/order.ts";
import { parkedCases } from "./cases/parked.ts";
import { pathCases } from "./cases/paths.ts";
import { rateLimitCases } from "./cases/rate-limit.ts";
import { readingCases } from "./cases/reading.ts";
import { subscriptionCases } from "./cases/subscriptions.ts";
import { valueCases } from "./cases/values.ts";
import type { OpenDoor } from "./door.ts";

/** What the HTTP API promises, by whatever way a request comes in and whatever storage is behind it. */
export function httpCases(test: Test, open: OpenDoor): void {
  const parts = [
    contentCases,
    batchCases,
    idempotencyKeyCases,
    keyCases,
    accessCases,
    definitionCases,
    subscriptionCases,
    rateLimitCases,
    orderCases,
    pathCases,
    methodCases,
    errorCases,
  ];
  for (const cases of parts) cases(test, open);
}

/** The cases that hold without an API key, too: those of what is written, refused and read. */
export function contentCases(test: Test, open: OpenDoor): void {
  const parts = [
    contactCases,
    putCases,
    externalIdCases,
    attributeCases,
    eventCases,
    eventShapeCases,
    eventTypeCases,
    idempotencyCases,
    readingCases,
    orderOfConflictsCases,
    bodyCases,
    mediaTypeCases,
    valueCases,
    numberCases,
    parkedCases,
  ];
  for (const cases of parts) cases(test, open);
}
