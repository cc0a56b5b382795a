import assert from "node:assert/strict";
import type { IncomingMessage, RequestListener } from "node:http";
import { buffer } from "node:stream/consumers";
import type { Listener } from "../../../adapters/node-http.ts";
import { codeOf } from "../../support/raw-connection.ts";
import type { Served } from "../../support/serving.ts";

interface Mounted {
  mount: (listener: Listener) => RequestListener;
}

/** Reads the body as some parser would, and hands over what it came to. */
export function parsing(parse: (bytes: Buffer) => unknown, ...where: ("request.body" | "third argument")[]): Mounted {
  return {
    mount: (listener) => async (request: IncomingMessage & { body?: unknown }, response) => {
      const parsed = parse(await buffer(request));
      if (where.includes("request.body")) request.body = parsed;
      await listener(request, response, where.includes("third argument") ? parsed : undefined);
    },
  };
}

/** Does something to the request before the listener gets it. */
export function preparing(prepare: (request: IncomingMessage) => unknown): Mounted {
  return {
    mount: (listener) => async (request, response) => {
      await prepare(request);
      await listener(request, response);
    },
  };
}

/** Posts the contact and asserts what comes of it. */
export function answering(
  status: number,
  code?: string,
  body = '{"email":"ada@example.com"}',
): (served: Served) => Promise<void> {
  return async ({ ask }) => {
    const answer = await ask({ body });
    assert.deepEqual([answer.status, code && codeOf(answer)], [status, code]);
  };
}
