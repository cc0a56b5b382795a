/** `npm run long -- frameworks`: the listener in frameworks that are installed here alone. Ends with `N passed, N failed`. */
import "./express.ts";
import "./fastify.ts";
