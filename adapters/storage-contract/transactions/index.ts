export { managedTransactions } from "./managed.ts";
export { transactionCompletions } from "./completions.ts";
export { transactionBystanders, transactionNames, transactionWaits } from "./waits.ts";
export { transactionCalls, transactionRaces, transactions } from "./transactions.ts";
