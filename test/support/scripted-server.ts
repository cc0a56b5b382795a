import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as it arrived. */
export interface Arrived {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
}

/** What to do with the next request: answer it, or take the connection away. */
export type Step = { status: number; body?: unknown; headers?: Record<string, string> } | "drop" | "cut" | "hang";

/**
 * A server that does with each request what its next step says, and with those after the last step what the last says. `body` is sent as
 * JSON unless it is a text. `cut` sends half of an answer.
 */
export function scriptedServer(...steps: [Step, ...Step[]]): { url: string; arrived: Arrived[]; close(): void } {
  const arrived: Arrived[] = [];
  const answer = (response: ServerResponse, step: Step): void => {
    if (step === "hang") return;
    if (step === "drop") return void response.destroy();
    if (step === "cut") {
      response.writeHead(200, { "content-length": "100" }).write('{"success":true,');
      setTimeout(() => response.destroy(), 5);
      return;
    }
    const { status, body, headers = {} } = step;
    const text = typeof body === "string" ? body : JSON.stringify(body);
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(text);
  };
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => (body += text));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      arrived.push({ method, path: url, headers, body });
      answer(response, (steps.length > 1 ? steps.shift() : steps[0])!);
    });
  }).listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/api/v1`,
    arrived,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
