// Next.js: one file answers the whole API.
import { tracker } from "../../../../tracker";

const handle = (request: Request): Promise<Response> => tracker.handle(request);

export {
  handle as DELETE,
  handle as GET,
  handle as HEAD,
  handle as OPTIONS,
  handle as PATCH,
  handle as POST,
  handle as PUT,
};
