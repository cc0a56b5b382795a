import { print } from "../print.ts";
import { noCommand, UsageError } from "../settings.ts";
import { onWorkspace, readArguments } from "./database-command.ts";

/** `contacts delete ID`, which prints the receipt. */
export async function contactsCommand(
  [action = "", ...args]: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const { positionals, workspace, json } = readArguments(args);
  if (action !== "delete") throw noCommand("contacts", action);
  const [identifier, ...others] = positionals;
  if (identifier === undefined || others.length > 0) throw new UsageError();
  await onWorkspace(environment, workspace, async ({ contacts }) => {
    const deleted = await contacts.delete(identifier);
    print(json, [`deleted ${deleted.contactId} with ${deleted.events} events`], deleted);
  });
}
