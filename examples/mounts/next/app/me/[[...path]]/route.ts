// Next.js: one file answers the pages of all visitors.
import { visitors } from "whodid/visitors";
import { tracker } from "../../../tracker";

const { handle } = visitors(tracker, { basePath: "/me", identify: userIdOf, events: ["step"] });

// Replace this with the id of your own session's user.
function userIdOf(request: unknown): string | null {
  return (request as Request).headers.get("x-user");
}

export { handle as GET, handle as HEAD, handle as POST };
