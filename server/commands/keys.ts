import { generateApiKey } from "../../lib/api-keys.ts";
import type { ApiKey, NewApiKey } from "../../lib/model/types.ts";
import { print } from "../print.ts";
import { UsageError } from "../settings.ts";
import { onWorkspace, readAction } from "./database-command.ts";

/** `keys create --name NAME [--access ACCESS] [--limit REQUESTS] [--expires TIME]`, `keys list`, `keys revoke ID`, and `keys generate`, which needs no database. */
export async function keys(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const { action, positionals, values } = readAction<NewKeyOptions>("keys", args, {
    create: { options: newKeyOptions },
    list: {},
    revoke: { names: ["ID"] },
    generate: {},
  });
  const { workspace, json } = values;
  const [id = ""] = positionals;
  switch (action) {
    case "generate": {
      const key = generateApiKey();
      return print(json, [key], { key });
    }
    case "create":
      if (values.name === undefined) throw new UsageError("keys create needs --name.");
      return onWorkspace(environment, workspace, async ({ apiKeys }) => {
        const created = await apiKeys.create(toNewApiKey(values));
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

const text = { type: "string" } as const;
const newKeyOptions = { name: text, access: text, limit: text, expires: text };
type NewKeyOptions = Partial<Record<keyof typeof newKeyOptions, string>>;

/** The input of `apiKeys.create`, which validates it. `--expires` with a date alone means the start of that day in UTC. */
function toNewApiKey({ name = "", access, limit, expires }: NewKeyOptions): NewApiKey {
  return {
    name,
    access: access as NewApiKey["access"],
    requestsPerMinute: limit === undefined ? undefined : Number(limit),
    expiresAt: expires?.replace(/^\d{4}-\d{2}-\d{2}$/, "$&T00:00:00Z"),
  };
}

function lineOf({ id, prefix, access, requestsPerMinute, expiresAt, createdAt, lastUsedAt, name }: ApiKey): string {
  const limit = requestsPerMinute === null ? "" : `  ${requestsPerMinute} a minute`;
  const end = expiresAt === null ? "" : `  expires ${expiresAt}`;
  return `${id}  ${prefix}…  ${access}${limit}${end}  created ${createdAt}  last used ${lastUsedAt ?? "never"}  ${name}`;
}
