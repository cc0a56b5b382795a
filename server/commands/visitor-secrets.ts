import { print } from "../print.ts";
import { generateSecret } from "../visitors/tokens.ts";
import { readAction } from "./database-command.ts";

/** `visitor-secrets generate` needs no database: secrets are settings. */
export async function visitorSecrets(args: readonly string[]): Promise<void> {
  const { values } = readAction("visitor-secrets", args, { generate: {} });
  const secret = generateSecret();
  print(values.json, [secret], { secret });
}
