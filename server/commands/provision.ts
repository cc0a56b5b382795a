import { provisionFrom } from "../provision-file.ts";
import { UsageError } from "../settings.ts";
import { onWorkspace, readArguments } from "./database-command.ts";

/** `provision FILE` stores the definitions of a JSON file or of a module. */
export async function provision(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const { positionals, workspace, json } = readArguments(args);
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new UsageError();
  await onWorkspace(environment, workspace, (opened) => provisionFrom(opened, file));
  console.log(json ? JSON.stringify({ provisioned: true }) : "The definitions are made.");
}
