/**
 * `npm run long -- frameworks`: the listener, and the types of the element, in frameworks that are installed here alone. Ends with
 * `N passed, N failed`.
 */
import "./elements.ts";
import "./express.ts";
import "./fastify.ts";
