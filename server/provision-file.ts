import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import { TrackerError } from "../lib/errors.ts";
import { parseJson } from "../lib/http/body.ts";
import type { Definitions } from "../lib/types.ts";
import type { Workspace } from "../lib/workspace.ts";
import { placeOfError } from "./json-place.ts";
import { reasonOf, Refusal } from "./settings.ts";

/** Stores the definitions of a JSON file. Throws a `Refusal` that names the problem and its place in the file. */
export async function provisionFrom(workspace: Workspace, file: string): Promise<void> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new Refusal(`Cannot read the definitions in ${file}: ${error.code}.`);
  });
  if (!isUtf8(bytes)) throw new Refusal(`The definitions in ${file} are refused: the file is not in UTF-8.`);
  try {
    await workspace.provision(readDefinitions(bytes, file));
  } catch (error) {
    if (!(error instanceof TrackerError)) throw error;
    throw new Refusal(`The definitions in ${file} are refused: ${reasonOf(error)}`);
  }
}

function readDefinitions(bytes: Buffer, file: string): Definitions {
  try {
    return parseJson(bytes) as Definitions;
  } catch {
    const { line, column } = placeOfError(new TextDecoder().decode(bytes));
    throw new Refusal(`The definitions in ${file} are not valid JSON from line ${line}, column ${column} on.`);
  }
}
