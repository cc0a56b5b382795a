import { memoryStorage } from "../../adapters/memory/index.ts";
import { suite } from "../support/suite.ts";
import { httpCases } from "./cases.ts";
import { openOverSocket } from "./socket-door.ts";

suite("http over a socket, on memory", (test) =>
  httpCases(
    test,
    openOverSocket(async () => ({ storage: memoryStorage(), dispose: async () => {} })),
  ),
);
