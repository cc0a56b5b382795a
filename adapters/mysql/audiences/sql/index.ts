/** The statements of audiences. */
export {
  countCandidates,
  countOthers,
  countTested,
  findEnds,
  findSelectivities,
  listCandidates,
  listIds,
  listMemberIds,
  listOthers,
  listTested,
} from "./members.ts";
export { countOccurrences, summarizeEvents } from "./occurrence-tests.ts";
