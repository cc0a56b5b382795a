import { isUtf8 } from "node:buffer";
import { access, readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { TrackerError } from "../lib/model/errors.ts";
import { parseJson } from "../lib/http/body.ts";
import type { Definitions } from "../lib/model/types.ts";
import type { Workspace } from "../lib/methods/index.ts";
import { positionOfError } from "./json-position.ts";
import { reasonOf, CommandError } from "./settings.ts";

/** Stores the definitions of a file. Throws a `CommandError` that names the problem. */
export async function provisionFrom(workspace: Workspace, file: string): Promise<void> {
  await withDefinitions(file, (definitions) => workspace.provision(definitions));
}

/**
 * Does the work with the definitions of a file: those of a module's default export, or of JSON. Throws a `CommandError` that names the
 * problem, and its position in JSON.
 */
export async function withDefinitions<Result>(
  file: string,
  work: (definitions: Definitions) => Promise<Result>,
): Promise<Result> {
  const isModule = /\.[cm]?[jt]s$/.test(file);
  const definitions = isModule ? await importDefinitions(file) : await readDefinitions(file);
  try {
    return await work(definitions);
  } catch (error) {
    // Thrown on: `explained` of `storage.ts`, which runs around this, describes errors of the database.
    if (!(error instanceof TrackerError) || ["storage_unavailable", "internal"].includes(error.code)) throw error;
    throw new CommandError(`The definitions in ${file} are refused: ${reasonOf(error)}`);
  }
}

async function importDefinitions(file: string): Promise<Definitions> {
  await access(file).catch((error: unknown) => refuseToRead(file, error));
  const loaded = (await import(pathToFileURL(resolve(file)).href).catch((error: unknown) => {
    throw new CommandError(`Cannot load the definitions in ${file}: ${problemOf(error)}`);
  })) as { default?: Definitions & { __esModule?: boolean; default?: Definitions } };
  // A compiler turns `export default` into a property of the module in CommonJS.
  const exported = loaded.default?.__esModule ? loaded.default.default : loaded.default;
  if (exported === undefined) throw new CommandError(`The module ${file} has no default export.`);
  return exported;
}

/** The first line of the error of a module, whose message may have several. */
function problemOf(error: unknown): string {
  const { code, message }: NodeJS.ErrnoException = error instanceof Error ? error : new Error(String(error));
  if (code === "ERR_UNKNOWN_FILE_EXTENSION") return "this version of Node does not run TypeScript.";
  return message.split("\n", 1)[0]!;
}

async function readDefinitions(file: string): Promise<Definitions> {
  const bytes = await readFile(file).catch((error: unknown) => refuseToRead(file, error));
  if (!isUtf8(bytes)) throw new CommandError(`The definitions in ${file} are refused: the file is not in UTF-8.`);
  try {
    return parseJson(bytes) as Definitions;
  } catch {
    const { line, column } = positionOfError(new TextDecoder().decode(bytes));
    throw new CommandError(`The definitions in ${file} are not valid JSON from line ${line}, column ${column} on.`);
  }
}

function refuseToRead(file: string, error: unknown): never {
  throw new CommandError(`Cannot read the definitions in ${file}: ${(error as NodeJS.ErrnoException).code}.`);
}
