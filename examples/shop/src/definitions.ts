// Everything that the shop tracks, in one list. `provision()` stores it, and the compiler checks the rest of the shop against it.
import type { Definitions, InTransaction, Tracker } from "whodid";

export const definitions = {
  events: [
    { key: "signed_up", properties: {} },
    { key: "product_viewed", properties: { product: "text" } },
    { key: "order_completed", properties: { orderId: "text", cents: "number" } },
    { key: "win_back_mailed", properties: {} },
  ],
  audiences: [
    {
      key: "win_back",
      name: "No order for a quarter",
      rule: {
        all: [
          { kind: "has_done", eventKey: "order_completed" },
          { not: { kind: "last_done_within", eventKey: "order_completed", period: { days: 90 } } },
          { not: { kind: "last_done_within", eventKey: "win_back_mailed", period: { days: 90 } } },
        ],
      },
    },
  ],
  checklists: [
    {
      key: "first_steps",
      name: "First steps",
      items: [
        { key: "sign_up", name: "Sign up", when: { kind: "has_done", eventKey: "signed_up" } },
        { key: "look", name: "Look at a tea", when: { kind: "has_done", eventKey: "product_viewed" } },
        { key: "order", name: "Order a tea", when: { kind: "has_done", eventKey: "order_completed" } },
      ],
    },
  ],
  subscriptions: [{ key: "mailer", on: { audiences: ["win_back"] } }],
} as const satisfies Definitions;

type Listed = typeof definitions;
/** A name for the list. Editors show it where they would print the list. */
export interface ShopDefinitions extends Listed {}
export type ShopTracker = Tracker<unknown, ShopDefinitions>;
export type ShopTransaction = InTransaction<ShopDefinitions>;
