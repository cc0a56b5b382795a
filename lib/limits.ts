/** Sizes are bytes of UTF-8 unless the name says otherwise: what a database column counts, and the same in every language. */

/** RFC 5321 section 4.5.3.1.3, less the angle brackets. */
export const emailMaxBytes = 254;
export const externalIdMaxBytes = 255;
export const eventKeyMaxBytes = 100;
/** Keys of definitions, checklist items and properties. */
export const keyMaxBytes = 100;
/** name, phone, role, plan; the names of definitions, checklist items and API keys. */
export const textMaxBytes = 1_000;
/** Text attributes and text properties. */
export const valueMaxBytes = 4_096;
/** What browsers and proxies take without trouble. */
export const avatarUrlMaxBytes = 2_048;

/** Groups in groups; a rule that is no group is 1 deep. */
export const ruleDepthMax = 8;
/** Rules that are no groups, in all: each is a look-up for every contact that the others leave. */
export const simpleRulesPerRuleMax = 50;
/** Rules and groups, in all: none that has more is within the two limits above. */
export const rulePartsMax: number = simpleRulesPerRuleMax * ruleDepthMax;
/** Of a period's unit: a million days are more than there are in the calendar up to now. */
export const periodUnitsMax = 1_000_000;
export const itemsPerChecklistMax = 100;

export const attributesPerContactMax = 100;
export const propertiesPerEventMax = 256;

export const pageLimitDefault = 100;
export const pageLimitMax = 1_000;

/** RFC 9110 sets none; a UUID has 36. */
export const idempotencyKeyMaxCharacters = 255;

/** The largest valid event fits many times over; a body is held in memory whole. */
export const maxBodyBytesDefault: number = 64 * 1_024;

/** What a body that comes in several chunks is first gathered in; the buffer doubles when it is full. */
export const firstBufferBytes = 1_024;

/** Of requests that wait for their answers on one connection: more than any client pipelines. */
export const requestsPerConnectionMax = 64;

/** So that a hostile body is not answered by one many times its size. */
export const issuesMax = 100;
/** How many of them an error's message tells. */
export const issuesToldMax = 3;
/** Of a path in a message: that of every field and attribute there can be. */
export const pathShownMaxCharacters = 120;

export const rateLimitDefault: { requests: number; perSeconds: number } = { requests: 100, perSeconds: 60 };

/** How long a write waits for a contact that somebody's open transaction holds. */
export const heldContactWaitMs = 5_000;

/** How long a page or a count of an audience may take: it may have to look at every contact. */
export const audienceTimeoutSecondsDefault = 30;
/** The server is told so much less than what is waited for it: when it answers that it gave up, the connection is still of use. */
export const serverHeadStartMs = 500;
/** How long a storage that is closed waits for the database to close its sockets: one that answers does so in one round trip. */
export const socketEndMs = 500;

/** How many may wait for a look-up before more are refused: some 50 MB of requests, and what a database looks up in a tenth of a second. */
export const lookUpsWaitingMax = 10_000;

/** From here on a storage may take requests out of a window in advance, a thousandth of it at a time. */
export const leasedLimitMin = 1_000;
