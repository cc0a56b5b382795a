import { deleteWorkspace, listWorkspaces } from "../../lib/workspaces.ts";
import { print } from "../print.ts";
import { CommandError, noCommand, UsageError } from "../settings.ts";
import { onScope, readArguments } from "./database-command.ts";

/** `workspaces list`, and `workspaces delete NAME --yes`, which prints the receipt. */
export async function workspacesCommand(
  [action = "", ...args]: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const { positionals, workspace, json, flags } = readArguments(args, { flags: ["yes"] });
  const [name, ...others] = positionals;
  if (action === "list") {
    if (name !== undefined || flags.yes) throw new UsageError();
    await onScope(environment, workspace, async (scope) => {
      const listed = await listWorkspaces(scope);
      const lines = listed.map((row) => (row.deletedAt === null ? row.name : `${row.name}  deleted ${row.deletedAt}`));
      print(json, lines, listed);
    });
    return;
  }
  if (action !== "delete") throw noCommand("workspaces", action);
  if (name === undefined || others.length > 0) throw new UsageError();
  if (!flags.yes) throw new UsageError("This deletes the workspace with all its data. Add --yes.");
  await onScope(environment, workspace, async (scope) => {
    if (!(await listWorkspaces(scope)).some((row) => row.name === name))
      throw new CommandError(`There is no workspace ${JSON.stringify(name)}: see \`whodid workspaces list\`.`);
    const removed = await deleteWorkspace(scope, name);
    const { contacts, events, definitions, apiKeys } = removed;
    const counts = `${contacts} contacts, ${events} events, ${definitions} definitions and ${apiKeys} API keys`;
    print(json, [`deleted ${removed.workspace} with ${counts}`], removed);
  });
}
