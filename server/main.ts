#!/usr/bin/env node
import { generateApiKey } from "../lib/api-keys.ts";
import { serve } from "./commands/serve.ts";
import { Refusal } from "./settings.ts";

const usage = `usage: whodid serve            serve the API; settings are environment variables
       whodid keys generate    print a well-formed API key
       whodid provision FILE   make the definitions of a JSON file`;

/** Resolves with the exit code: 2 for wrong usage. Throws a `Refusal` for what cannot be done. */
async function run(args: readonly string[]): Promise<number> {
  const [command, ...rest] = args;
  if (command === "serve" && rest.length === 0) await serve(process.env);
  else if (command === "keys" && rest.length === 1 && rest[0] === "generate") console.log(generateApiKey());
  else if (
    (command === "keys" && ["create", "list", "revoke"].includes(rest[0] ?? "")) ||
    (command === "provision" && rest.length === 1)
  ) {
    throw new Refusal(`\`whodid ${command}\` works on a database, and this version has no MySQL adapter yet.`);
  } else {
    console.error(usage);
    return 2;
  }
  return 0;
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(`whodid: ${error.message}`);
  process.exitCode = 1;
}
