import { print } from "../print.ts";
import { onWorkspace, readAction } from "./database-command.ts";

/** `contacts delete ID`, which prints the receipt. */
export async function contactsCommand(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const { positionals, values } = readAction("contacts", args, { delete: { names: ["ID"] } });
  const { workspace, json } = values;
  const [identifier = ""] = positionals;
  await onWorkspace(environment, workspace, async ({ contacts }) => {
    const deleted = await contacts.delete(identifier);
    print(json, [`deleted ${deleted.contactId} with ${deleted.events} events`], deleted);
  });
}
