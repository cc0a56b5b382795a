export {
  happen,
  progressOf,
  subscribeContacts,
  take,
  acknowledgedInTransactions,
  consumersEnd,
  leases,
  idsOf,
} from "./leases.ts";
export { backlogs } from "./backlogs.ts";
export { expiredChanges, parkedContacts, failedContacts, failFirst } from "./failures.ts";
