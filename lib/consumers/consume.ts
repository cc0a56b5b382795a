import { pauseAfter } from "../decisions/consumers.ts";
import type { InTransaction } from "../in-transaction.ts";
import { parse } from "../input/shapes.ts";
import { consumeOptionsStruct, parseKey } from "../input/structs.ts";
import { isFunctionOrObject } from "../model/arguments.ts";
import type { ConsumeOptions, Consumed, Consumer } from "../model/consumer-types.ts";
import * as limits from "../model/limits.ts";
import type { Scope } from "../scope.ts";
import { joinWork } from "../work/index.ts";
import { startConsumer } from "./consumer.ts";
import type { Handler } from "./handling.ts";

/** Begins to call the handler for the changes of a subscription. Takes options and a handler, or a handler alone. */
export function consume(
  scope: Scope,
  methodsIn: (scope: Scope) => InTransaction,
  ...given: Parameters<typeof readArguments>
): Consumer | Promise<Consumed> {
  const { key, options, handler } = readArguments(...given);
  const {
    transaction = false,
    until,
    concurrency = 1,
    leaseSeconds = limits.leaseSecondsDefault,
    handlerTimeoutSeconds = limits.handlerSecondsDefault,
    tries = limits.changeTriesDefault,
    firstPauseSeconds = limits.firstPauseSecondsDefault,
    longestPauseSeconds = limits.longestPauseSecondsDefault,
  } = options;
  const untilCaughtUp = until !== undefined;
  const retryLimits = { tries, firstPauseSeconds, longestPauseSeconds };
  const consumer = startConsumer({
    scope,
    methodsIn,
    key,
    handler,
    transaction,
    untilCaughtUp,
    concurrency,
    leaseSeconds,
    handlerTimeoutSeconds,
    stopWaitMs: limits.stopWaitMs,
    failureOf(item, error) {
      scope.report?.(error);
      const failures = item.failures + 1;
      return { failures, pauseMs: pauseAfter(failures, retryLimits) };
    },
  });
  scope.running?.add(consumer);
  const ended = consumer.ended.finally(() => scope.running?.delete(consumer));
  if (untilCaughtUp) return ended;
  const leave = joinWork(scope);
  const settled = (async () => {
    try {
      await ended;
    } finally {
      await leave();
    }
  })();
  // Reports the error, and keeps the rejection from being an unhandled one.
  settled.catch((error: unknown) => scope.report?.(error));
  const stop = async (): Promise<void> => {
    await consumer.stop();
    await leave();
  };
  return { stop, stats: consumer.stats, ended: settled };
}

/** Reads the arguments of `consume`: a key, options and a handler, or a key and a handler. */
export function readArguments(
  key: unknown,
  first: unknown,
  second: unknown,
): { key: string; options: ConsumeOptions; handler: Handler } {
  const isAlone = typeof first === "function";
  if (isAlone && isFunctionOrObject(second)) throw new TypeError("consume: options come before the handler");
  const [options, handler] = isAlone ? [{}, first] : [first, second];
  if (typeof handler !== "function") throw new TypeError("consume takes a function");
  return { key: parseKey(key), options: parse(options, consumeOptionsStruct), handler: handler as Handler };
}
