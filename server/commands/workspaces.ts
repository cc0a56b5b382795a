import { deleteWorkspace, listWorkspaces } from "../../lib/workspaces.ts";
import { print } from "../print.ts";
import { CommandError, UsageError } from "../settings.ts";
import { onScope, readAction } from "./database-command.ts";

/** `workspaces list`, and `workspaces delete NAME --yes`, which prints the receipt. */
export async function workspacesCommand(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const { action, positionals, values } = readAction<{ yes?: boolean }>("workspaces", args, {
    list: {},
    delete: { names: ["NAME"], options: { yes: { type: "boolean" } } },
  });
  const { workspace, json, yes } = values;
  const [name = ""] = positionals;
  if (action === "list") {
    await onScope(environment, workspace, async (scope) => {
      const listed = await listWorkspaces(scope);
      const lines = listed.map((row) => (row.deletedAt === null ? row.name : `${row.name}  deleted ${row.deletedAt}`));
      print(json, lines, listed);
    });
    return;
  }
  if (!yes) throw new UsageError("This deletes the workspace with all its data. Add --yes.");
  await onScope(environment, workspace, async (scope) => {
    if (!(await listWorkspaces(scope)).some((row) => row.name === name))
      throw new CommandError(`There is no workspace ${JSON.stringify(name)}: see \`whodid workspaces list\`.`);
    const removed = await deleteWorkspace(scope, name);
    const { contacts, events, definitions, apiKeys } = removed;
    const counts = `${contacts} contacts, ${events} events, ${definitions} definitions and ${apiKeys} API keys`;
    print(json, [`deleted ${removed.workspace} with ${counts}`], removed);
  });
}
