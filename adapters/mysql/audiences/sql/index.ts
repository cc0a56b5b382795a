/** The statements of audiences. */
export {
  countCandidates,
  countOthers,
  countTested,
  findEnds,
  findSelectivities,
  listCandidates,
  listOthers,
  listTested,
} from "./members.ts";
export { summarizeEvents } from "./occurrence-tests.ts";
