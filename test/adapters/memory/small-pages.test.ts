import { memoryStorage } from "../../../adapters/memory/index.ts";
import { smallPages } from "../../support/small-pages.ts";
import { suite } from "../../support/suite.ts";

suite("small pages on memory", (test) => {
  smallPages(test, (run) => run(memoryStorage()));
});
