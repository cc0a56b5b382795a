import type { Struct } from "superstruct";
import { contactFields } from "../model/contact-fields.ts";
import { text } from "./fields.ts";
import type { EventContact, FirstEvent } from "../model/types.ts";
import { emailStruct, externalIdStruct } from "./identifiers.ts";
import { shape } from "./shapes.ts";
import { clearable, happeningFields } from "./structs.ts";

const eventContactStruct = shape<EventContact>("EventContact", {
  email: emailStruct,
  externalId: clearable(externalIdStruct),
  name: clearable(text(contactFields.name.maxBytes)),
});

export const firstEventStruct: Struct<FirstEvent, null> = shape<FirstEvent>("FirstEvent", {
  ...happeningFields,
  contact: eventContactStruct,
});
