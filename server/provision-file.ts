import { readFile } from "node:fs/promises";
import { TrackerError } from "../lib/errors.ts";
import { parseJson } from "../lib/http/body.ts";
import type { Definitions, Workspace } from "../lib/types.ts";
import { reasonOf, Refusal } from "./settings.ts";

/** Makes the definitions of a JSON file. Throws a `Refusal` that says what is wrong with it and where. */
export async function provisionFrom(workspace: Workspace, file: string): Promise<void> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new Refusal(`Cannot read the definitions in ${file}: ${error.code}.`);
  });
  try {
    await workspace.provision(parseJson(bytes) as Definitions);
  } catch (error) {
    if (!(error instanceof TrackerError)) throw error;
    throw new Refusal(`The definitions in ${file} are refused: ${reasonOf(error)}`);
  }
}
