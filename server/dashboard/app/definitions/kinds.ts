import type { RouteName } from "../../../../lib/http/routes/lines.ts";
import { api } from "../api.ts";

export type KindName = "attribute" | "event type" | "audience" | "checklist" | "subscription";

/** The kinds whose definitions have a page each. */
export type EditedKind = "audience" | "checklist";

/** How the pages of a kind of definitions differ from those of the others. */
interface Kind {
  /** The title of its page. */
  title: string;
  /** The routes that save and delete a definition. Without the access that they need, the actions are not offered. */
  needs: { save: RouteName; delete: RouteName };
  delete(key: string): Promise<unknown>;
  /** Shown in the question before a deletion: the consequences of the deletion. */
  deletion: string;
  /** The words for making a definition, and for changing one. */
  verbs?: { create?: string; edit?: string };
  /** Shown while there is no definition. */
  none?: string;
  /** Says what the kind is for, and how to make the first definition. */
  about: string;
  /** The path and the body of a request that makes the first definition. */
  first: readonly [path: string, body: object];
}

export const kinds: Readonly<Record<KindName, Kind>> = {
  attribute: {
    title: "Attributes",
    needs: { save: "putAttribute", delete: "deleteAttribute" },
    delete: api.attributes.delete,
    deletion: "Every contact loses its value of this attribute. This cannot be undone.",
    verbs: { edit: "Rename" },
    about:
      "An attribute is something of your own that you keep about contacts, such as the number of seats they pay for. " +
      "Create one here, or paste this with an API key of access admin:",
    first: ["/attributes/seats", { type: "number", name: "Seats" }],
  },
  "event type": {
    title: "Events",
    needs: { save: "putEventType", delete: "deleteEventType" },
    delete: api.eventTypes.delete,
    deletion:
      "The recorded events stay. New ones are no longer held to its properties, or are refused if the server refuses " +
      "undefined events.",
    verbs: { create: "Define" },
    none: "There are no events yet, and no event types.",
    about:
      "An event type says which properties the events of a key have; the server refuses others. " +
      "Define one here, or paste this with an API key of access admin:",
    first: ["/event-types/purchase_completed", { properties: { total: "number", coupon: "text?" } }],
  },
  audience: {
    title: "Audiences",
    needs: { save: "putAudience", delete: "deleteAudience" },
    delete: api.audiences.delete,
    deletion: "Whoever asks for this audience gets an error from then on. The contacts stay as they are.",
    about:
      "An audience is a rule: whoever it is true of now is in it. " +
      "Build one with “Create audience”, or paste this with an API key:",
    first: ["/audiences/buyers", { name: "Buyers", rule: { kind: "has_done", eventKey: "purchase_completed" } }],
  },
  checklist: {
    title: "Checklists",
    needs: { save: "putChecklist", delete: "deleteChecklist" },
    delete: api.checklists.delete,
    deletion: "Items completed by hand are lost: defined again, it starts without them. The events stay.",
    about:
      "A checklist is a list of steps for each contact, such as those of its first week. " +
      "Create one here, or paste this with an API key of access admin:",
    first: [
      "/checklists/onboarding",
      {
        name: "Onboarding",
        items: [{ key: "sign_up", name: "Sign up", when: { kind: "has_done", eventKey: "signup_completed" } }],
      },
    ],
  },
  subscription: {
    title: "Subscriptions",
    needs: { save: "putSubscription", delete: "deleteSubscription" },
    delete: api.subscriptions.delete,
    deletion: "Its readers are refused from now on. Created again, it starts without the changes of before.",
    about:
      "A subscription logs the changes that your programs act on: events, contacts, completed checklists, and who " +
      "enters and leaves an audience. Create one here, or paste this with an API key of access admin:",
    first: ["/subscriptions/warehouse", { on: { events: true, contacts: true } }],
  },
};

/** The end of the address of a new definition. The key of an audience or a checklist cannot contain a hyphen. */
export const newKeyOf = (kind: KindName): string => `new-${kind}`;

/** The end of the address that users guess for a new definition. A definition may have it as its key. */
export const guessedKey = "new";
