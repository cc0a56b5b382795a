/** `npm run long -- reference` writes the tables that are made from the code, beside the READMEs. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { references } from "./references.ts";

const root = join(import.meta.dirname, "../../..");
for (const [path, text] of Object.entries(references())) writeFileSync(join(root, path), text);
