import { newEventStruct, trackOptionsStruct } from "../../../lib/input/events.ts";
import { contactChangesStruct, newApiKeyStruct, newContactStruct } from "../../../lib/input/structs.ts";
import { structFields } from "../../support/struct-fields.ts";
import { suite } from "../../support/suite.ts";

const ofContacts =
  "email externalId name phone role plan avatarUrl signedUpAt customAttributes, id createdAt updatedAt extra";

suite("structs", (test) => {
  structFields(test, "newContact", newContactStruct, ofContacts);
  structFields(test, "contactChanges", contactChangesStruct, ofContacts);
  structFields(test, "newEvent", newEventStruct, "externalId eventKey properties createdAt, email event id recordedAt");
  structFields(test, "trackOptions", trackOptionsStruct, "idempotencyKey, Idempotency-Key");
  structFields(test, "newApiKey", newApiKeyStruct, "name access requestsPerMinute expiresAt, key workspace");
});
