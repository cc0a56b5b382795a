import { openApiDocument } from "../../lib/http/openapi/index.ts";
import { basePath } from "../http-server.ts";
import { readArguments } from "./database-command.ts";

/** `openapi` prints the OpenAPI document, which the server also answers at `/openapi.json`. */
export async function openapi(args: readonly string[]): Promise<void> {
  readArguments(args, {});
  console.log(JSON.stringify(openApiDocument(basePath), null, 2));
}
