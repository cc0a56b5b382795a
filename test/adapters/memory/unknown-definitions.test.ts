import { memoryStorage } from "../../../adapters/memory/index.ts";
import { suite } from "../../support/suite.ts";
import { unknownDefinitions } from "../../support/unknown-definitions.ts";

suite("definitions of a later version on memory", (test) => {
  unknownDefinitions(test, (use) => use(memoryStorage()));
});
