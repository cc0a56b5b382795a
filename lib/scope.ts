import type { Storage } from "./storage/port.ts";

/** The storage, workspace and clock that a domain function works with. */
export interface Scope {
  storage: Storage;
  workspace: string;
  /** Milliseconds since the Unix epoch. */
  now(): number;
}
