import { readFile } from "node:fs/promises";
import { TrackerError } from "../lib/errors.ts";
import type { Definitions, Workspace } from "../lib/types.ts";
import { Refusal } from "./settings.ts";

/** Makes the definitions of a JSON file. Throws a `Refusal` that says what is wrong with it and where. */
export async function provisionFrom(workspace: Workspace, file: string): Promise<void> {
  let definitions: Definitions;
  try {
    definitions = JSON.parse(await readFile(file, "utf8")) as Definitions;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw new Refusal(`Cannot read the definitions in ${file}: ${code ?? "it is not valid JSON"}.`);
  }
  try {
    await workspace.provision(definitions);
  } catch (error) {
    if (!(error instanceof TrackerError)) throw error;
    const places = error.issues.map(({ path, code }) => `${path || "the whole"}: ${code}`);
    throw new Refusal(`The definitions in ${file} are refused: ${places.join("; ") || error.message}`);
  }
}
