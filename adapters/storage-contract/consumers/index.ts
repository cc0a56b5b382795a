export {
  happen,
  progressOf,
  subscribeContacts,
  take,
  acknowledgedInTransactions,
  changeListeners,
  leases,
  idsOf,
} from "./leases.ts";
export { backlogs } from "./backlogs.ts";
export { expiredChanges, parkedContacts, failedContacts, failFirst } from "./failures.ts";
export { probes } from "./probes.ts";
export { resumptions } from "./resumptions.ts";
