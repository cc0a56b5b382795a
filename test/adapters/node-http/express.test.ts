import express from "express";
import { testInExpress } from "../../support/express.ts";
import { suite } from "../../support/suite.ts";

suite("the listener in Express 5", (test) => testInExpress(test, express));
