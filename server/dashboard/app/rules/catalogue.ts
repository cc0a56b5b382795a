import { useLoaded, type Loaded } from "../loading.ts";
import type { Catalogue } from "./subjects.ts";

/** Stays empty where it does not come: a rule can be built without. */
export function useCatalogue(): Loaded<Catalogue> {
  const usage = useLoaded(({ eventTypes }) => eventTypes.usage({ limit: 1_000 }), []);
  const definitions = useLoaded(async ({ eventTypes, attributes, checklists }) => {
    const lists = await Promise.all([eventTypes.list(), attributes.list(), checklists.list()] as const);
    return { types: lists[0], attributes: lists[1], checklists: lists[2] };
  }, []);
  const { types = [], attributes = [], checklists = [] } = definitions.value ?? {};
  const keys = [...types, ...(usage.value?.items ?? [])].map(({ key }) => key);
  return {
    value: { eventKeys: [...new Set(keys)], attributes, checklists },
    error: definitions.error ?? usage.error,
    isLoading: definitions.isLoading || usage.isLoading,
    reload() {
      usage.reload();
      definitions.reload();
    },
  };
}
