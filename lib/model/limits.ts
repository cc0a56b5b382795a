/** Sizes are bytes of UTF-8 unless the name says otherwise. Database columns count bytes; characters differ by language. */

/** RFC 5321 section 4.5.3.1.3, without the two angle brackets. */
export const emailMaxBytes = 254;
export const externalIdMaxBytes = 255;
export const eventKeyMaxBytes = 100;
/** Keys of definitions, checklist items and properties. */
export const keyMaxBytes = 100;
/** name, phone, role, plan; names of definitions, checklist items and API keys; descriptions of definitions and checklist items. */
export const textMaxBytes = 1_000;
/** Text attributes and text properties. */
export const valueMaxBytes = 4_096;
/** A length that browsers and proxies accept. */
export const avatarUrlMaxBytes = 2_048;
export const hrefMaxBytes: number = avatarUrlMaxBytes;

/** How deep groups can be nested. A simple rule by itself has depth 1. */
export const ruleDepthMax = 8;
/** The number of simple rules in a rule. Each adds a look-up for every contact that matches the others. */
export const simpleRulesPerRuleMax = 50;
/** The number of rules and groups in a rule. A rule with more parts breaks one of the two limits above. */
export const rulePartsMax: number = simpleRulesPerRuleMax * ruleDepthMax;
/** The number of conditions on the properties of an event. */
export const conditionsPerWhereMax = 10;
/** The number of days, hours or minutes in a period. A million days ago is before the year 1, so no more is needed. */
export const periodUnitsMax = 1_000_000;
/** The number of values of a `one_of`. */
export const operandsMax = 1_000;
/**
 * The size of all values in a rule, as JSON. A statement repeats them in hexadecimal for each event key that it reads, and
 * has to stay below the 16 MiB that servers accept by default.
 */
export const operandsPerRuleMaxBytes: number = 128 * 1_024;
export const itemsPerChecklistMax = 100;

export const attributesPerContactMax = 100;
export const propertiesPerEventMax = 256;
/** The number of ids of deleted attributes that a process remembers: about 1 MiB. */
export const deletedAttributesMax = 10_000;

export const pageLimitDefault = 100;
export const pageLimitMax = 1_000;
/** The bytes of the rows of a page. A larger page would block the event loop, and take many times its size in memory. */
export const pageMaxBytes: number = 4 * 1_024 * 1_024;
export const activityPeriodsMax = 100;

/** No RFC sets a limit; a UUID has 36 characters. */
export const idempotencyKeyMaxCharacters = 255;

/** Small, because a body is held in memory as a whole, but many times what an ordinary event needs. */
export const maxBodyBytesDefault: number = 64 * 1_024;

/** The number of items in a batch, and the size of its body as a multiple of the limit for other bodies. */
export const itemsPerBatchMax = 500;
export const batchBodyTimes = 16;
/**
 * The items of a batch that begin together, and the size of the answers after which no more begin. A contact has at most 0.4 MiB,
 * unless JSON escapes its values, so a client can read the answer to every batch.
 */
export const batchItemsAtOnce = 64;
export const batchAnswersMaxBytes: number = 4 * 1_024 * 1_024;
/**
 * How long a batch waits in all before it begins further items. A client waits 10 s, and an item whose contact is locked takes 5 s of
 * them.
 */
export const batchWaitMs = 3_000;

/**
 * The limits for unfinished items of one `upsertMany` or `trackMany`. They are four transactions: two that run, and two that
 * collect items. They fit into the memory of a small process.
 */
export const manyItemsMax = 2_000;
export const manyMaxBytes: number = 4 * 1_024 * 1_024;

/** The items that `upsertMany` and `trackMany` pass to the storage in one turn of the event loop: about 2 ms of work. */
export const itemsPerTurn = 50;

/** The JSON that is made in one turn of the event loop: about 1 ms of work. */
export const jsonPerTurnBytes: number = 256 * 1_024;

/** The first size of the buffer for a body of several chunks. A full buffer doubles. */
export const firstBufferBytes = 1_024;

/** The number of requests on one connection that wait for their answers. Clients that pipeline send fewer. */
export const requestsPerConnectionMax = 64;

/** How often a client sends a request in all. The pauses between the tries add up to 6 to 11 s, longer than a restart takes. */
export const triesMax = 8;
/** A client's first pause, which doubles with each try, and its longest. */
export const firstPauseMs = 100;
export const pauseMaxMs = 5_000;
/** The time of a client's call with all its tries and pauses, by default. */
export const maxWaitMsDefault = 60_000;
/** No try begins with less time: it would hardly be answered. */
export const lastTryMs = 500;
/** The size of an answer that a client reads into memory. Without a limit, a broken proxy could send an endless one. */
export const answerMaxBytes: number = 32 * 1_024 * 1_024;
/** The size of an export over HTTP. Leaves room for the rest of the answer. */
export const exportMaxBytes: number = answerMaxBytes - 1_024;
/** The longest time of a timer. A longer one ends at once. */
export const timerMaxMs: number = 2 ** 31 - 1;
/** How deep a client follows an input. Only an input that contains itself is deeper. */
export const inputDepthMax = 50;

/**
 * Limits the issues in an answer, so that the answer to a hostile body is not many times larger than the body. Validation
 * stops at this number.
 */
export const issuesMax = 100;
/** The number of issues that the message of an error shows. */
export const issuesToldMax = 3;
/** The length of a path in a message. Every valid path is shorter. */
export const pathShownMaxCharacters = 120;
/** The length of a value in the changes of a comparison. */
export const valueShownMaxCharacters = 80;

/** The days for which the changes of a subscription are kept. */
export const keepDaysDefault = 7;
export const keepDaysMax = 90;
/** The number of event keys of a subscription. */
export const subscribedKeysMax = 1_000;
/** The number of audiences of a subscription. Each makes every sweep longer. */
export const subscribedAudiencesMax = 100;
/** A change with more bytes of old and new values, as JSON, has only the names of its fields. */
export const changedValuesMaxBytes: number = 64 * 1_024;
/**
 * The time from the commit of a subscription until all processes write its changes. They cache subscriptions for at most 2 s. The
 * rest is for a write that reads the cache and then waits.
 */
export const subscriptionStartMs = 5_000;
/** The number of changes that `subscriptions.changes` reads at once. */
export const changesPerReadMax = 500;
/** The longest time that a request for changes waits. Proxies give up on an answer after 30 s or more. */
export const changesWaitMaxSeconds = 25;
/** A request that waits is answered with less than a full page after this time, so that a reader stays within its rate limit. */
export const changesPauseMs = 1_000;
/** The number of reads that run at once for readers that wait. A change can wake hundreds of them. */
export const changeReadsAtOnceMax = 4;
/** How often a request that waits asks whether its API key is still valid. */
export const apiKeyCheckMs = 5_000;
/** How long a process rests between two looks: less than a second, so that a change of another process comes within a second. */
export const lookPauseMs = 750;
/** How long a process rests between two looks while no workspace has a subscription, and nobody reads or consumes. */
export const unusedLookPauseMs = 10_000;
export const failedLookPauseMs = 1_000;
/** The shortest rest after a look, while commits of this process ask for the next. */
export const lookRestMs = 10;
/** How often a process that works removes the changes that are too old. */
export const removalPauseMs = 60_000;

/** The seconds from the begin of a sweep of the audiences to that of the next. */
export const sweepSecondsDefault = 300;
export const sweepSecondsMin = 60;
export const sweepSecondsMax = 86_400;
/** Longer than a step of a sweep and its rest, so that no other process begins a sweep in between. */
export const sweepPauseMinMs = 30_000;
/** After each step a sweep rests so many times as long as the step took: it uses a tenth of the time. */
export const sweepRestTimes = 9;
/** How often a process that works asks whether a sweep is due. */
export const sweepLookMs = 10_000;

/** The fewest days of a webhook, whose endpoint is tried for five days, and the contacts whose messages are sent at a time. */
export const webhookKeepDaysMin = 6;
export const webhookConcurrencyDefault = 10;
/** The tries of a process that run at a time, and the bytes of their bodies. */
export const webhookTriesMax = 64;
export const webhookBodiesMaxBytes: number = 32 * 1_024 * 1_024;
/** How often a process that delivers reads all webhooks. */
export const webhookLookMs = 3_000;
/** How long a try waits for others and for the storage. Then it gives its change back, because the change may be deleted meanwhile. */
export const webhookWaitMs = 800;
/** The pauses that Standard Webhooks suggests. */
export const webhookPausesSeconds: readonly number[] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
/** An endpoint is down after so many failures in a row, if at least so much time lies between the first and the last. */
export const failuresUntilDown = 10;
export const failingUntilDownMs = 30_000;
/** One of the contacts not tried since the endpoint went down is probed so often. The other pause is that after none was found. */
export const untriedPauseMs: number = 5 * 60_000;
export const emptyProbePauseMs = 30_000;
/** The lease of a probe: longer than a try. If the process of a probe dies, another begins after this time. */
export const probeLeaseMs = 20_000;
export const downUntilDisabledMs: number = 5 * 86_400_000;
/** How often a success in a row of successes is stored. */
export const successStoredMs = 60_000;
/** The pause that a 429 without a header asks for, and the shortest and longest that one can ask for. */
export const webhookPauseDefaultMs = 30_000;
export const webhookPauseMinMs = 1_000;
export const webhookPauseMaxMs = 3_600_000;
/** How long the older of two secrets signs. */
export const olderSecretMs = 86_400_000;
/** The slots of a subscription. Their positions are stored, so the number never changes. */
export const slotCount = 64;
/** The seconds until another process takes over from one that died. */
export const leaseSecondsDefault = 60;
/** The seconds that a handler may run. */
export const handlerSecondsDefault = 300;
/** How often a change is tried, and the seconds of its first and its longest pause. All pauses together take four hours. */
export const changeTriesDefault = 10;
export const firstPauseSecondsDefault = 5;
export const longestPauseSecondsDefault = 3_600;
export const changeTriesMax = 1_000;
/** How often `transaction` may run its function: a transaction that is lost so often will be lost again. */
export const transactionTriesMax = 100;
/** The longest time of a lease, a handler and a pause: a day, as changes are kept for a day at least. */
export const consumerSecondsMax = 86_400;
/** The number of changes that a consumer takes at once. It takes fewer if it handles fewer in `roundMs`. */
export const changesTakenMax = 500;
/** How long a consumer keeps a change that it has taken and not begun. Then it gives the change back, for others to take. */
export const roundMs = 1_000;
/**
 * How long a consumer rests after it has taken all changes: twice as long as taking them took, within these bounds. A busy database
 * then has fewer and larger pages to serve.
 */
export const takePauseMs = 25;
export const takePauseMaxMs = 100;
/** How long a stopped consumer waits for its handlers. */
export const stopWaitMs = 10_000;
/** The length of a handler's error that is stored. */
export const errorMaxCharacters = 1_000;

/** More than a server can answer, and within the 32 bits of the database's counter. */
export const requestsPerMinuteMax = 1_000_000_000;
export const rateLimitDefault: { requests: number; perSeconds: number } = { requests: 100, perSeconds: 60 };

/** How long a write waits for a contact that another open transaction has locked. */
export const lockedContactWaitMs = 5_000;

/** Above this limit a storage can take requests out of a window in advance, a thousandth of the limit at a time. */
export const leasedLimitMin = 1_000;

/** How far ahead of the clock an event may have happened: the sender's clock may be ahead of ours. */
export const eventsAheadMaxMs: number = 5 * 60_000;

/** How long pruning keeps an event after its recording, even an old one. A retry of a call with unknown outcome must find it. */
export const recordedStaysMs: number = 60 * 60 * 1_000;

/** The largest time that an id can have: it takes 48 bits of a UUIDv7. */
export const idTimeMaxMs: number = 2 ** 48 - 1;

/** The number of tries to write a contact while other processes delete its attributes. */
export const attributeTriesMax = 3;

/** The largest age of definitions by which a call is refused: callers do not retry refusals. At most one read a second is needed. */
export const refusingDefinitionsMaxAgeMs = 1_000;

/** The length of the URL of a webhook. */
export const webhookUrlMaxBytes: number = avatarUrlMaxBytes;
/** The time of a try of a webhook, from the look-up of the host to the end of the answer. */
export const tryMs = 15_000;
/** The bytes of an answer that are read and thrown away, so that the connection can be kept. */
export const webhookAnswerMaxBytes: number = 4 * 1_024;
/** How long a connection to a receiver is kept, so that a changed address is noticed. */
export const keptConnectionMs = 60_000;
/** The look-ups that run at once. Each takes one of the four threads that Node also reads files with. */
export const lookupsAtOnceMax = 2;
/** The addresses of a family that a try connects to. A host with a thousand could otherwise have us connect to all of them. */
export const triedAddressesMax = 2;
/** How long a try waits for a connection to one of several addresses. In the second half of it a lost packet is sent again. */
export const connectMs = 3_000;
