import assert from "node:assert/strict";
import { firstLineOf } from "../support/npm-start.ts";
import { suite } from "../support/suite.ts";
import { createClone, outputOf } from "./projects.ts";

export function testClone(readme: string): void {
  const clone = createClone();
  suite("a clone without what it is developed with", (test) => {
    test("serves its dist by npm start", async () => {
      assert.match(await firstLineOf(clone), /^whodid answers at http:\/\/127\.0\.0\.1:\d+\/api\/v1$/);
    });

    test("asks for mysql2 where there is a DATABASE_URL, and has it by the line in its README", async () => {
      const environment = { DATABASE_URL: "mysql://nobody@127.0.0.1:9/nowhere" };
      assert.equal(
        await firstLineOf(clone, environment),
        "whodid: needs the package mysql2 for a database URL: npm i mysql2",
      );
      const [, line = ""] = /`npm (i --no-save [^`]*mysql2)`/.exec(readme) ?? [];
      outputOf(clone, "npm", ...line.split(" "));
      assert.match(await firstLineOf(clone, environment), /the database cannot be reached: ECONNREFUSED\.$/);
    });
  });
}
