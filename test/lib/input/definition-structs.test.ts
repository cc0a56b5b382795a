import {
  attributeDefinitionStruct,
  audienceDefinitionStruct,
  checklistDefinitionStruct,
  definitionsStruct,
} from "../../../lib/input/definition-structs.ts";
import { structFields } from "../../support/struct-fields.ts";
import { suite } from "../../support/suite.ts";

suite("definitions", (test) => {
  structFields(test, "attributeDefinition", attributeDefinitionStruct, "key type name, id extra");
  structFields(test, "audienceDefinition", audienceDefinitionStruct, "key name rule, id description");
  structFields(test, "checklistDefinition", checklistDefinitionStruct, "key name items, id");
  structFields(test, "definitions", definitionsStruct, "attributes audiences checklists, workspaces apiKeys");
});
