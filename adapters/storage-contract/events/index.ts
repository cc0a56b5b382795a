export { eventLists } from "./lists.ts";
