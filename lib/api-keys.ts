import { hash, randomBytes } from "node:crypto";
import { includesAccess } from "./model/declarations.ts";
import { issue, TrackerError, type Issue } from "./model/errors.ts";
import { isId, newId } from "./model/ids.ts";
import type { Scope } from "./scope.ts";
import type { ApiKeyOwner, ApiKeyRow } from "./storage/rows.ts";
import type { Storage } from "./storage/port.ts";
import { formatTime, parseTime } from "./model/times.ts";
import type { Access, ApiKey, NewApiKey } from "./model/types.ts";
import { errorOf } from "./storage/refusals.ts";
import { parse, refuse } from "./input/shapes.ts";
import { newApiKeyStruct, parseId } from "./input/structs.ts";

const form = "sk_[A-Za-z0-9_-]{43}";
const apiKey = new RegExp(`^${form}$`);
const bearer = new RegExp(`^\\s*Bearer +(${form})\\s*$`, "i");
const prefixCharacters = 12;

/** Creates a key. `creator` is the API key of the request; `null` if a method call or the host makes the request. */
export async function createApiKey(
  scope: Scope,
  input: unknown,
  creator: ApiKeyOwner | null = null,
): Promise<{ key: string; apiKey: ApiKey }> {
  const settings = parse(input, newApiKeyStruct);
  if (creator) refuse([...issuesOfEnd(settings, creator), ...issuesOfLimit(settings, creator)]);
  const key = generateApiKey();
  const row = toRow(scope, key, settings);
  await scope.storage.insertApiKey(row);
  return { key, apiKey: toApiKey(row) };
}

export async function listApiKeys(scope: Scope): Promise<ApiKey[]> {
  const rows = await scope.storage.listApiKeys(scope.workspace);
  return rows.map(toApiKey);
}

/** The workspace and the API key of a request; `null` for a request that the host has admitted. */
export async function ownApiKey(
  scope: Scope,
  owner: ApiKeyOwner | null,
): Promise<{ workspace: string; apiKey: ApiKey | null }> {
  const own = owner && (await listApiKeys(scope)).find(({ id }) => id === owner.id);
  // The key was revoked after this process had looked it up.
  if (own === undefined) throw new TrackerError("invalid_api_key");
  return { workspace: scope.workspace, apiKey: own };
}

/**
 * Revokes an API key. With `keepsAdminKey` it throws `last_admin_key` for the only valid admin key of the workspace, and for the
 * only one that never expires.
 */
export async function revokeApiKey(scope: Scope, input: unknown, keepsAdminKey = false): Promise<void> {
  const id = parseId(input);
  const options = keepsAdminKey ? { adminKeyAt: scope.now() } : undefined;
  const deleted = isId(id) && (await scope.storage.deleteApiKey(scope.workspace, id, options));
  if (!deleted) throw new TrackerError("api_key_not_found");
  if (deleted !== true) throw errorOf(deleted);
}

/** The new key must not expire later than the key that creates it. */
function issuesOfEnd({ expiresAt }: NewApiKey, { expiresAt: end }: ApiKeyOwner): Issue[] {
  if (end === null) return [];
  const message = "Must not be later than the end of the API key that creates it.";
  if (expiresAt === undefined) return [issue("expiresAt", "required", message)];
  // The struct accepts only times that `parseTime` can read.
  return (parseTime(expiresAt) as number) > end ? [issue("expiresAt", "out_of_range", message)] : [];
}

/** A key with a limit of its own creates no key with a higher one. */
function issuesOfLimit({ requestsPerMinute }: NewApiKey, { requestsPerMinute: limit }: ApiKeyOwner): Issue[] {
  if (limit === null || (requestsPerMinute ?? Infinity) <= limit) return [];
  const code = requestsPerMinute === undefined ? "required" : "out_of_range";
  return [issue("requestsPerMinute", code, "Must not be higher than the limit of the API key that creates it.")];
}

function toExpiry(expiresAt: string | Date | undefined, now: number): number | null {
  if (expiresAt === undefined) return null;
  // The struct accepts only times that `parseTime` can read.
  const at = parseTime(expiresAt) as number;
  if (at <= now) refuse([issue("expiresAt", "out_of_range", "Must lie in the future.")]);
  return at;
}

/** Generates a key: `sk_`, then 256 random bits in base64url (43 characters). */
export function generateApiKey(): string {
  return `sk_${randomBytes(32).toString("base64url")}`;
}

export function isApiKey(text: string): boolean {
  return apiKey.test(text);
}

/** Adds a key that was generated elsewhere. Changes nothing if the key exists, in this workspace or in another. */
export async function addApiKey(scope: Scope, key: string, name: string): Promise<"added" | "there" | "another's"> {
  const row = toRow(scope, key, { name });
  if (await scope.storage.insertApiKey(row)) return "added";
  return (await scope.storage.findApiKey(row.hash))?.workspace === scope.workspace ? "there" : "another's";
}

/**
 * Finds the owner of an `Authorization` header's key (RFC 6750 section 2.1). Throws `missing_api_key`, `invalid_api_key`.
 */
export async function authenticate(storage: Storage, authorization: string | null, now: number): Promise<ApiKeyOwner> {
  if (authorization === null) throw new TrackerError("missing_api_key");
  const [, key] = bearer.exec(authorization) ?? [];
  // A text without the form of a key needs no look-up.
  const row = key === undefined ? null : await storage.findApiKey(hashOf(key));
  if (!row || (row.expiresAt !== null && row.expiresAt <= now)) throw new TrackerError("invalid_api_key");
  return row;
}

/** Throws `forbidden` if the key has less than the needed access. */
export function assertAccess({ access }: Pick<ApiKeyOwner, "access">, needed: Access): void {
  if (includesAccess(access, needed)) return;
  throw new TrackerError("forbidden", { message: `This needs an API key with the access "${needed}".` });
}

function toRow({ workspace, now }: Scope, key: string, settings: NewApiKey): ApiKeyRow {
  const { name, access = "write", requestsPerMinute = null, expiresAt } = settings;
  const createdAt = now();
  const prefix = key.slice(0, prefixCharacters);
  return {
    workspace,
    id: newId(createdAt),
    name,
    prefix,
    hash: hashOf(key),
    access,
    requestsPerMinute,
    expiresAt: toExpiry(expiresAt, createdAt),
    createdAt,
    lastUsedAt: null,
  };
}

function hashOf(key: string): string {
  return hash("sha256", key, "hex");
}

function toApiKey(row: ApiKeyRow): ApiKey {
  const { id, name, prefix, access, requestsPerMinute, expiresAt, createdAt, lastUsedAt } = row;
  return {
    id,
    name,
    prefix,
    access,
    requestsPerMinute,
    expiresAt: expiresAt === null ? null : formatTime(expiresAt),
    createdAt: formatTime(createdAt),
    lastUsedAt: lastUsedAt === null ? null : formatTime(Math.max(lastUsedAt, createdAt)),
  };
}
