import assert from "node:assert/strict";
import type { LaunchOptions } from "playwright-core";
import { startServer, type ServerProcess } from "../support/server-process.ts";
import type { Test } from "../support/suite.ts";
import { visit, type Visit } from "./browser.ts";

const password = "correct horse battery";
const seats = { key: "seats", type: "number", name: "Seats" } as const;

interface Standalone {
  origin: string;
  url: string;
  /** Ends the server, and starts it again on the same port; with other variables, if they are given. */
  restart(environment?: Record<string, string>): Promise<void>;
  kill(): Promise<void>;
  /** Whether sessions last over a restart: on memory they end with the process. */
  keepsSessions: boolean;
}

/** The server's own dashboard, behind its password. */
export function testStandalone(test: Test, options: LaunchOptions, databaseUrl: () => Promise<string | null>): void {
  const testServer = (name: string, run: (visited: Visit, standalone: Standalone) => Promise<void>): void => {
    test(name, async () => {
      const url = await databaseUrl();
      const standalone = await startStandalone({ DASHBOARD_PASSWORD: password, ...(url && { DATABASE_URL: url }) });
      try {
        await visit(options, standalone.origin, (visited) => run(visited, standalone));
      } finally {
        await standalone.kill();
      }
    });
  };

  testServer(
    "a wrong password is refused, the right one opens the page that was asked for",
    async (visited, { url }) => {
      const { page, forgive } = visited;
      forgive(/status of 403/);
      await page.goto(`${url}#/attributes`);
      await page.getByLabel("Password").fill("wrong horse battery");
      await page.getByRole("button", { name: "Log in" }).click();
      await page.getByText("The password is wrong.").waitFor();
      await logIn(visited);
      await page.getByRole("heading", { level: 1, name: "Attributes" }).waitFor();
      const cookie = (await visited.context.cookies()).find(({ name }) => name === "whodid_session");
      assert.deepEqual(
        [cookie?.httpOnly, cookie?.sameSite, cookie?.path, cookie?.secure],
        [true, "Strict", "/dashboard", false],
      );
    },
  );

  testServer(
    "a session lasts over a restart on a database, and ends with another password",
    async (visited, standalone) => {
      const { page, forgive } = visited;
      forgive(/status of 403|net::ERR_/);
      await page.goto(`${standalone.url}#/api-keys`);
      await logIn(visited);
      await page.getByRole("heading", { level: 1, name: "API Keys" }).waitFor();
      await standalone.restart();
      await page.reload();
      if (!standalone.keepsSessions) await logIn(visited);
      await page.getByRole("button", { name: "Create API Key" }).first().click();
      assert.equal(await page.getByLabel("Password").count(), 0);
      await standalone.restart({ DASHBOARD_PASSWORD: "another horse battery" });
      await page.reload();
      await page.getByLabel("Password").waitFor();
    },
  );

  testServer(
    "an ended session asks for the password over the page, and what was typed stays",
    async (visited, { url }) => {
      const { page, context, forgive } = visited;
      forgive(/status of 403/);
      await page.goto(`${url}#/attributes`);
      await logIn(visited);
      await typeAttribute(visited);
      await context.clearCookies();
      await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
      await logIn(visited);
      assert.equal(await page.getByLabel("Key").inputValue(), seats.key);
      await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
      await page.getByRole("cell", { name: "Seats seats" }).waitFor();
    },
  );

  testServer(
    "what was typed is kept while the server is gone, and saved when it is back",
    async (visited, standalone) => {
      const { page, forgive } = visited;
      forgive(/status of 403|net::ERR_/);
      await page.goto(`${standalone.url}#/attributes`);
      await logIn(visited);
      await typeAttribute(visited);
      await standalone.kill();
      await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
      const failure = page.getByRole("dialog").getByText("The server or its database does not answer.");
      await failure.waitFor({ timeout: 30_000 });
      assert.equal(await page.getByLabel("Name").inputValue(), seats.name);
      await standalone.restart();
      await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
      if (!standalone.keepsSessions) {
        await logIn(visited);
        await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
      }
      await page.getByRole("cell", { name: "Seats seats" }).waitFor();
    },
  );

  testServer("logging out ends the session of this browser", async (visited, { url }) => {
    const { page, context, forgive } = visited;
    forgive(/status of 403|ERR_FAILED/);
    await page.goto(url);
    await logIn(visited);
    await page.route("**/session", (route) => route.abort());
    await page.getByRole("button", { name: "Log out" }).click();
    await page.getByText("You are still logged in").waitFor();
    await page.unroute("**/session");
    await page.getByRole("button", { name: "Log out" }).click();
    await page.getByLabel("Password").waitFor();
    // The browser stays known.
    assert.deepEqual(
      (await context.cookies()).map(({ name }) => name),
      ["whodid_browser"],
    );
  });
}

async function logIn({ page }: Visit): Promise<void> {
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByLabel("Password").waitFor({ state: "detached" });
}

async function typeAttribute({ page }: Visit): Promise<void> {
  await page.getByRole("button", { name: "Create attribute" }).first().click();
  await page.getByLabel("Key").fill(seats.key);
  await page.getByLabel("Type").selectOption(seats.type);
  await page.getByLabel("Name").fill(seats.name);
}

async function startStandalone(environment: Record<string, string>): Promise<Standalone> {
  let server: ServerProcess = await startServer(environment);
  const { port } = server;
  const end = async (): Promise<void> => {
    if (server.child.exitCode === null && server.child.signalCode === null) await server.stop("SIGKILL");
  };
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    url: `${origin}/dashboard/`,
    async restart(changes = {}) {
      await end();
      server = await startServer({ ...environment, PORT: String(port), ...changes });
    },
    kill: end,
    keepsSessions: environment["DATABASE_URL"] !== undefined,
  };
}
