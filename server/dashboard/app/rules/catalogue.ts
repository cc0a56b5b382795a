import { eventKeys } from "../event-keys.ts";
import { useLoaded, type Loaded } from "../loading.ts";
import type { Catalogue } from "./subjects.ts";

/** Loads the catalogue. It is empty while it loads and after an error, because a rule can be built without it. */
export function useCatalogue(): Loaded<Catalogue> {
  const loaded = useLoaded(async (methods) => {
    const types = methods.eventTypes.list();
    const lists = [eventKeys(methods, types), types, methods.attributes.list(), methods.checklists.list()] as const;
    const [keys, eventTypes, attributes, checklists] = await Promise.all(lists);
    return { eventKeys: keys, eventTypes, attributes, checklists };
  }, []);
  return { ...loaded, value: loaded.value ?? { eventKeys: [], eventTypes: [], attributes: [], checklists: [] } };
}
