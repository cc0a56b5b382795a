/** The HTTP cases through a dashboard, without an API key: its API answers as `/api/v1` does. */
import assert from "node:assert/strict";
import { memoryStorage } from "../../../adapters/memory/index.ts";
import { createTracker } from "../../../lib/index.ts";
import { dashboard } from "../../../server/dashboard/index.ts";
import { contentCases } from "../../http/cases.ts";
import { toRequest, type DoorAnswer, type DoorCall, type OpenDoor } from "../../http/door.ts";
import { suite } from "../../support/suite.ts";

/** A door to the API of a dashboard. Leaves out the key of a call. */
const open: OpenDoor = async (options = {}) => {
  const tracker = createTracker({ ...options, storage: memoryStorage() });
  const { handle } = dashboard(tracker, { basePath: "/whodid", authorize: () => true });
  return {
    tracker,
    async send({ path, headers = {}, ...call }: DoorCall): Promise<DoorAnswer> {
      const { authorization: _, ...others } = headers;
      const api = path.replace(/^\/api\/v1/, "/whodid/api");
      const request = toRequest({ ...call, path: api, headers: { ...others, "x-whodid-dashboard": "1" } });
      const response = await handle(request);
      const text = await response.text();
      const counted = ["x-ratelimit-limit", "x-ratelimit-remaining"].filter((name) => response.headers.has(name));
      assert.deepEqual(counted, []);
      return { status: response.status, headers: response.headers, body: text === "" ? null : JSON.parse(text) };
    },
    close: () => tracker.close(),
  };
};

suite("http through a dashboard", (test) => contentCases(test, open));
