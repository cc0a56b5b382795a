// Next.js: one file answers the whole dashboard.
import { dashboard } from "whodid/dashboard";
import { tracker } from "../../../tracker";

const { handle } = dashboard(tracker, {
  basePath: "/whodid",
  // Replace this with a check of your own administrators, such as a session.
  authorize: (request) => (request as Request).headers.get("x-admin") === "yes",
});

export {
  handle as DELETE,
  handle as GET,
  handle as HEAD,
  handle as OPTIONS,
  handle as PATCH,
  handle as POST,
  handle as PUT,
};
