import { isTrackerError } from "../../../lib/model/errors.ts";
import { api, clientWith, messageOf } from "./api.ts";
import { findKey, followOffers, tabKey, hold, ignoreOffers, loadAnew } from "./key.ts";
import { isStandalone, letIn, session, type Own } from "./session.ts";

/** Lets the page in with the host's session, with the key of this tab, or with the key of the other tabs. */
export async function enter(): Promise<void> {
  if (isStandalone && tabKey() === null) {
    const key = await findKey();
    if (key === null) {
      session.set({ ...session.get(), isOut: true });
      return followOffers((offer) => void logIn(offer));
    }
    hold(key);
  }
  letIn(await api.apiKeys.own());
}

/** Counts the log-ins. Only the newest has an effect: the user may log in while an offered key is tried. */
let tries = 0;

/** Resolves with the reason why the server refuses the key, or with `null` if it accepts the key. */
export async function logIn(text: string): Promise<string | null> {
  ignoreOffers();
  const key = text.trim();
  const turn = ++tries;
  let own: Own;
  try {
    own = await clientWith(key).apiKeys.own();
  } catch (error) {
    if (error instanceof TypeError) return "An API key begins with sk_.";
    if (isTrackerError(error) && error.code === "invalid_api_key")
      return "The server does not know this key, or it has ended.";
    return messageOf(error);
  }
  if (turn !== tries) return null;
  const shown = session.get().own?.workspace ?? own.workspace;
  hold(key);
  // The page still shows another workspace and its drafts.
  if (own.workspace !== shown) loadAnew();
  else letIn(own);
  return null;
}
