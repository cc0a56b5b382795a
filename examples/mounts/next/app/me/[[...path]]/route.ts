// Next.js: one file answers the pages of all visitors.
import { visitors } from "whodid/visitors";
import { tracker } from "../../../tracker";

const { handle } = visitors(tracker, {
  basePath: "/me",
  // Replace this with the id of your own session's user.
  identify: (request) => (request as Request).headers.get("x-user"),
  events: ["step"],
});

export { handle as GET, handle as HEAD, handle as POST };
