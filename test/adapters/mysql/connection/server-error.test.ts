import assert from "node:assert/strict";
import { serverErrorOf } from "../../../../adapters/mysql/connection/server-error.ts";
import { suite } from "../../../support/suite.ts";

const deadlock = { errno: 1213, code: "ER_LOCK_DEADLOCK", sqlState: "40001" };

/** What is found in the error: the number, the code and the state. */
function found(error: unknown): unknown[] {
  const { errno, code, sqlState } = serverErrorOf(error) as { errno: unknown; code: unknown; sqlState: unknown };
  return [errno, code, sqlState];
}

suite("the server's error", (test) => {
  test("is found in the error itself, its cause, its parent and its meta, some deep", () => {
    const shapes = [
      deadlock,
      new Error("Failed query", { cause: deadlock }),
      Object.assign(new Error("query"), { parent: deadlock, original: deadlock }),
      Object.assign(new Error("query"), { code: "P2010", meta: { cause: deadlock } }),
      new Error("one", { cause: new Error("two", { cause: new Error("three", { cause: deadlock }) }) }),
    ];
    for (const shape of shapes) assert.deepEqual(found(shape), [1213, "ER_LOCK_DEADLOCK", "40001"]);
  });

  test("is found where Prisma has it, its number as a text", () => {
    const ofEngine = Object.assign(new Error("Raw query failed"), { code: "P2010", meta: { code: "1213" } });
    assert.deepEqual(found(ofEngine).slice(0, 2), [1213, "1213"]);
    const cause = { originalCode: "1062", kind: "UniqueConstraintViolation" };
    const ofAdapter = Object.assign(new Error("Raw query failed"), { meta: { driverAdapterError: { cause } } });
    assert.equal(found(ofAdapter)[0], 1062);
  });

  test("holds neither the statement nor its values", () => {
    const told = serverErrorOf({ ...deadlock, sql: "SELECT 'secret'", parameters: ["secret"], message: "secret" });
    assert.ok(!JSON.stringify([told, (told as Error).message, (told as Error).stack]).includes("secret"));
  });

  test("of a lost connection is the driver's", () => {
    for (const code of ["PROTOCOL_CONNECTION_LOST", "ECONNRESET"]) {
      const lost = Object.assign(new Error("lost"), { code });
      assert.equal(serverErrorOf(new Error("query", { cause: lost })), lost);
    }
    const fatal = Object.assign(new Error("lost"), { fatal: true });
    assert.equal(serverErrorOf(Object.assign(new Error("query"), { parent: fatal })), fatal);
  });

  test("of a lost connection is told from what MariaDB's connector and Prisma make of it", () => {
    const isFatal = (error: unknown): unknown => (serverErrorOf(error) as { fatal?: unknown }).fatal;
    assert.equal(isFatal({ errno: 45_009, sqlState: "08S01", code: "ER_SOCKET_UNEXPECTED_CLOSE", fatal: true }), true);
    const errorOfPrisma = (originalCode: string, state: string): unknown =>
      Object.assign(new Error("Raw query failed"), {
        meta: { driverAdapterError: { cause: { originalCode, state } } },
      });
    assert.equal(isFatal(errorOfPrisma("45009", "08S01")), true);
    assert.equal(isFatal(errorOfPrisma("45016", "HY000")), undefined);
    assert.equal(found(errorOfPrisma("1047", "08S01"))[0], 1047);
  });

  test("an error without one is left as it is", () => {
    const circle: { cause?: unknown } = new Error("circle");
    circle.cause = circle;
    for (const error of [new Error("other"), circle, { code: "P2010" }, { errno: -111 }, undefined, null, "text", 5]) {
      assert.equal(serverErrorOf(error), error);
    }
  });
});
