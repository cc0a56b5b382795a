// A mail to a customer who has ordered nothing for a quarter. The event takes the customer out of the audience for a quarter.
import type { ConsumerHandler } from "whodid";
import type { ShopDefinitions, ShopTransaction } from "./definitions.ts";

/** The handler of the subscription `mailer`. Its transaction stores the event and that the change was handled. */
export function winBack(
  send: (to: string, text: string, idempotencyKey: string) => Promise<void>,
): ConsumerHandler<"mailer", ShopDefinitions, { tx: ShopTransaction }> {
  return async ({ id, kind, contact }, { tx }) => {
    if (kind !== "audience_entered") return;
    await tx.events.track({ externalId: contact.externalId, eventKey: "win_back_mailed" });
    // If the commit fails, the handler runs again: let your mail service send one mail for each key.
    await send(contact.email, "The next tea is on us.", id);
  };
}
