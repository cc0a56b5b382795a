import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as contract from "../../adapters/storage-contract/index.ts";
import * as published from "../../lib/index.ts";
import * as storage from "../../lib/storage/index.ts";
import { suite } from "../support/suite.ts";

suite("index", (test) => {
  test("the package exports createTracker, TrackerError and statusOf at run time", () => {
    assert.deepEqual(Object.keys(published).sort(), ["TrackerError", "createTracker", "statusOf"]);
  });

  test("whodid/storage has the decisions that a storage calls, and whodid/storage-contract the tests alone", () => {
    assert.deepEqual(Object.keys(storage).sort(), [
      "addToSummary",
      "changeOfDeletion",
      "changesOfCompletion",
      "changesOfContact",
      "changesOfEvent",
      "chooseByExternalId",
      "chooseForDeletion",
      "completeItems",
      "completingCounts",
      "createLine",
      "createWatcher",
      "decideContactWrite",
      "decideEvent",
      "effectiveExternalId",
      "foldEmail",
      "holds",
      "isFound",
      "isOfThePast",
      "isTaken",
      "namesOfCompletion",
      "namesOfContact",
      "namesOfContactChange",
      "namesOfEvent",
      "namesOfEventKey",
      "namesOfUpdate",
      "planWatches",
      "positionAt",
      "putDefinition",
      "refusalOfAttributes",
      "refusalOfAudience",
      "refusalOfDeletion",
      "refusalOfEvent",
      "refusalOfRevocation",
      "refusalOfSubscription",
      "slotOf",
      "summarizeEvents",
      "wholeMinute",
      "withEvent",
    ]);
    assert.deepEqual(Object.keys(contract).sort(), ["storageContract", "transactionContract"]);
  });

  test("the public surface is these names, types included", () => {
    const statements = readFileSync(join(import.meta.dirname, "../../../lib/index.ts"), "utf8")
      .split(";")
      .map((statement) => statement.trim())
      .filter(Boolean);
    const names = statements.flatMap((statement) => {
      const listed = /^export (?:type )?\{([^}]*)\} from "[^"]+"$/.exec(statement)?.[1];
      assert.ok(listed, `named re-exports only: ${statement}`);
      return listed.split(",").map((name) => name.replace("type ", "").trim());
    });
    assert.deepEqual(names.filter(Boolean).sort(), [
      "Access",
      "ApiKey",
      "AttributeDefinition",
      "AttributeRule",
      "AttributeType",
      "AudienceChange",
      "AudienceDefinition",
      "Backlog",
      "Change",
      "ChangedContact",
      "ChecklistChange",
      "ChecklistDefinition",
      "ChecklistItem",
      "ChecklistProgress",
      "ChecklistRule",
      "ComparedDefinition",
      "ComparedItem",
      "Comparison",
      "CompletedChecklistItem",
      "CompletionByHand",
      "Conflict",
      "ConflictingContact",
      "ConsumeOptions",
      "Consumed",
      "Consumer",
      "ConsumerMethods",
      "Contact",
      "ContactChange",
      "ContactChanges",
      "ContactExport",
      "ContactPageRequest",
      "DefinedSubscription",
      "Definitions",
      "Deletion",
      "DeletionChange",
      "DismissedChecklist",
      "ErrorCode",
      "EventChange",
      "EventRule",
      "EventTypeDefinition",
      "EventTypeUsage",
      "Explanation",
      "FieldChange",
      "FieldRule",
      "HandlerContext",
      "InTransaction",
      "Issue",
      "IssueCode",
      "ItemChange",
      "ItemCount",
      "ItemResult",
      "ItemSource",
      "Kept",
      "KeyedEvent",
      "ListedSubscription",
      "ManyOptions",
      "NewApiKey",
      "NewContact",
      "NewEvent",
      "ObservedEvents",
      "ObservedValue",
      "OnResult",
      "Page",
      "PageRequest",
      "ParkedContact",
      "Period",
      "PeriodWithStart",
      "Progress",
      "PropertyCondition",
      "PropertyType",
      "PrunedDefinition",
      "RateLimit",
      "RecentEvent",
      "Rule",
      "RuleAbout",
      "RuleIssue",
      "Scalar",
      "SimpleRule",
      "Storage",
      "StoredEvent",
      "SubscribedTopics",
      "Subscription",
      "SubscriptionDefinition",
      "Tracked",
      "TrackedEvent",
      "Tracker",
      "TrackerError",
      "TrackerOptions",
      "Transaction",
      "TransactionContext",
      "Work",
      "WorkOptions",
      "Workspace",
      "WriteCounts",
      "createTracker",
      "statusOf",
    ]);
  });
});
