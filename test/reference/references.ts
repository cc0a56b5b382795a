import { httpReference } from "./http.ts";
import { libraryReference } from "./library.ts";
import { mysqlReference, serverReference } from "./server.ts";

/** The files that are made from the code, by their paths. */
export function references(): Readonly<Record<string, string>> {
  const pages = {
    "lib/REFERENCE.md": libraryReference(),
    "lib/http/REFERENCE.md": httpReference(),
    "server/REFERENCE.md": serverReference(),
    "adapters/mysql/REFERENCE.md": mysqlReference(),
  };
  const note = "Made from the code by `npm run long -- reference`.";
  return Object.fromEntries(
    Object.entries(pages).map(([path, page]) => [path, `${page.replace("\n\n", `\n\n${note} `)}\n`]),
  );
}
