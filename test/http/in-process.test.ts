import { memoryStorage } from "../../adapters/memory/index.ts";
import { suite } from "../support/suite.ts";
import { httpCases } from "./cases.ts";
import { openInProcess } from "./door.ts";

suite("http in process, on memory", (test) => httpCases(test, openInProcess(memoryStorage)));
