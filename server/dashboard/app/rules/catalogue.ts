import { eventKeys } from "../event-keys.ts";
import { useLoaded, type Loaded } from "../loading.ts";
import type { Catalogue } from "./subjects.ts";

/** Stays empty where it does not come: a rule can be built without. */
export function useCatalogue(): Loaded<Catalogue> {
  const loaded = useLoaded(async (methods) => {
    const lists = [eventKeys(methods), methods.attributes.list(), methods.checklists.list()] as const;
    const [keys, attributes, checklists] = await Promise.all(lists);
    return { eventKeys: keys, attributes, checklists };
  }, []);
  return { ...loaded, value: loaded.value ?? { eventKeys: [], attributes: [], checklists: [] } };
}
