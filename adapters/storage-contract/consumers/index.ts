export { acknowledgedInTransactions, changeListeners, leases } from "./leases.ts";
export { backlogs } from "./backlogs.ts";
export { expiredChanges, parkedContacts, failedContacts } from "./failures.ts";
export { probes } from "./probes.ts";
export { resumptions } from "./resumptions.ts";
