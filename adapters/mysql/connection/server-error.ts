import { isLostConnection } from "./errors.ts";

/** The properties in which ORMs keep the driver's error. */
const wrappers = ["cause", "parent", "meta", "driverAdapterError"];
const depthMax = 5;
/** From here on, numbers are errors of MariaDB's connector, which Prisma uses too. */
const connectorErrors = 45_000;

/** Returns the driver's error inside an ORM's error, with `code`, `errno` and `sqlState`; the error itself if it has none. */
export function serverErrorOf(error: unknown): unknown {
  let inner: unknown = error;
  for (let depth = 0; depth < depthMax && typeof inner === "object" && inner !== null; depth++) {
    const members = inner as Record<string, unknown>;
    const errno = serverNumberIn(members);
    if (errno !== null)
      return Object.assign(new Error(`The server's error ${errno}.`), { ...textsOf(members, errno), errno });
    if (isLostConnection(inner)) return inner;
    // Prisma keeps only the SQLSTATE of a lost connection, which is of class 08.
    if (String(members["state"]).startsWith("08")) {
      return Object.assign(new Error("The connection was lost."), { fatal: true });
    }
    inner = wrappers.map((name) => members[name]).find(Boolean);
  }
  return error;
}

/** Reads the number also from a code, because Prisma keeps it there as a text. */
function serverNumberIn({ errno, code, originalCode }: Record<string, unknown>): number | null {
  if (typeof errno === "number" && errno > 0 && errno < connectorErrors) return errno;
  // Four digits: an SQLSTATE has five.
  const number = [code, originalCode].find((value) => /^[1-9]\d{3}$/.test(String(value)));
  return number === undefined ? null : Number(number);
}

function textsOf({ code, sqlState }: Record<string, unknown>, errno: number): { code: string; sqlState: unknown } {
  return { code: typeof code === "string" ? code : String(errno), sqlState };
}
