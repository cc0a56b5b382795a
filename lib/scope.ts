import type { Storage } from "./storage/port.ts";

/** What a domain function works on. */
export interface Scope {
  storage: Storage;
  workspace: string;
  /** Milliseconds since the Unix epoch. */
  now(): number;
}
