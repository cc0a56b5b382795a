export { hostileValues, idInHostileValues } from "./hostile-values.ts";
export { hostileTexts } from "./hostile-texts.ts";
export { copies, spoiling } from "./copies.ts";
export { texts, keptTimes } from "./texts.ts";
