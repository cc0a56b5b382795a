import { isLostConnection } from "./errors.ts";

/** The places where ORMs keep the driver's error. */
const wrappers = ["cause", "parent", "meta", "driverAdapterError"];
const depthMax = 5;
/** MariaDB's connector, which is Prisma's too, numbers its own errors from here on. */
const connectorErrors = 45_000;

/** The driver's error inside an ORM's error, with `code`, `errno` and `sqlState`; the error itself if it contains none. */
export function serverErrorOf(error: unknown): unknown {
  let inner: unknown = error;
  for (let depth = 0; depth < depthMax && typeof inner === "object" && inner !== null; depth++) {
    const members = inner as Record<string, unknown>;
    const errno = serverNumberIn(members);
    if (errno !== null)
      return Object.assign(new Error(`The server's error ${errno}.`), { ...textsOf(members, errno), errno });
    if (isLostConnection(inner)) return inner;
    // Prisma keeps only the SQLSTATE of such an error. Class 08 is that of connections.
    if (String(members["state"]).startsWith("08")) {
      return Object.assign(new Error("The connection was lost."), { fatal: true });
    }
    inner = wrappers.map((name) => members[name]).find(Boolean);
  }
  return error;
}

/** Prisma has the server's number as the text of a code. */
function serverNumberIn({ errno, code, originalCode }: Record<string, unknown>): number | null {
  if (typeof errno === "number" && errno > 0 && errno < connectorErrors) return errno;
  // Four digits: an SQLSTATE has five.
  const number = [code, originalCode].find((value) => /^[1-9]\d{3}$/.test(String(value)));
  return number === undefined ? null : Number(number);
}

function textsOf({ code, sqlState }: Record<string, unknown>, errno: number): { code: string; sqlState: unknown } {
  return { code: typeof code === "string" ? code : String(errno), sqlState };
}
