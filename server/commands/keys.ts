import { generateApiKey } from "../../lib/api-keys.ts";
import type { ApiKey } from "../../lib/types.ts";
import { print } from "../print.ts";
import { noCommand, UsageError } from "../settings.ts";
import { onWorkspace, readArguments } from "./database-command.ts";

/** `keys create --name NAME`, `keys list`, `keys revoke ID`, and `keys generate`, which needs no database. */
export async function keys([action = "", ...args]: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const { positionals, name, workspace, json } = readArguments(args, { takesName: action === "create" });
  const [id = ""] = positionals;
  if (!["create", "list", "revoke", "generate"].includes(action)) throw noCommand("keys", action);
  if (positionals.length !== (action === "revoke" ? 1 : 0)) throw new UsageError();
  switch (action) {
    case "generate": {
      const key = generateApiKey();
      return print(json, [key], { key });
    }
    case "create":
      if (name === undefined) throw new UsageError("keys create needs --name.");
      return onWorkspace(environment, workspace, async ({ apiKeys }) => {
        const created = await apiKeys.create({ name });
        print(json, [created.key], created);
      });
    case "list":
      return onWorkspace(environment, workspace, async ({ apiKeys }) => {
        const listed = await apiKeys.list();
        print(json, listed.map(lineOf), listed);
      });
    default:
      return onWorkspace(environment, workspace, async ({ apiKeys }) => {
        await apiKeys.revoke(id);
        print(json, ["revoked"], { revoked: id });
      });
  }
}

function lineOf({ id, prefix, createdAt, lastUsedAt, name }: ApiKey): string {
  return `${id}  ${prefix}…  created ${createdAt}  last used ${lastUsedAt ?? "never"}  ${name}`;
}
