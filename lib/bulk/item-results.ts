import { isTrackerError, type TrackerError } from "../model/errors.ts";

/** The result of one item: what the method for one item resolves with, or the error that it rejects with. */
export type ItemResult<Result> = ({ ok: true } & Result) | { ok: false; error: TrackerError };

/** Calls the function. Returns its result or its `TrackerError`, and throws any other error. */
export function resultOf<Result extends object>(give: () => Result): ItemResult<Result> {
  try {
    return { ok: true, ...give() };
  } catch (error) {
    return failed(error);
  }
}

/** Resolves with the result of the promise or its `TrackerError`, and rejects with any other error. */
export async function settle<Result extends object>(result: Promise<Result>): Promise<ItemResult<Result>> {
  try {
    return { ok: true, ...(await result) };
  } catch (error) {
    return failed(error);
  }
}

/** Returns the result of an item that failed with a `TrackerError`, and throws any other error. */
export function failed(error: unknown): { ok: false; error: TrackerError } {
  if (isTrackerError(error)) return { ok: false, error };
  throw error;
}
