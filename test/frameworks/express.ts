import { createRequire } from "node:module";
import type express5 from "express";
import { testInExpress } from "../support/express.ts";
import { suite } from "../support/suite.ts";

const express4 = createRequire(import.meta.url)("express4") as typeof express5;

suite("the listener in Express 4", (test) => testInExpress(test, express4));
