import type { Api, Schemas } from "./api.ts";

type Environment = Schemas["Environment"];

/** Changes the given fields of a flag's strategy in an environment. */
export const setStrategy = (
  api: Api,
  flag: { readonly id: number },
  { id: environmentId }: Environment,
  fields: Partial<Schemas["SetStrategy"]>,
): Promise<Schemas["Strategy"]> =>
  api.put(`/api/v1/flags/${flag.id}/strategies`, { environmentId, ...fields });

export const strategyIn = (
  api: Api,
  flag: { readonly id: number },
  { id }: Environment,
): Promise<Schemas["Strategy"]> => api.get(`/api/v1/flags/${flag.id}/strategies/${id}`);

/** Returns the constraint that the field is one of the texts. */
export const isIn = (field: string, ...values: string[]) => ({
  field,
  operator: "in" as const,
  values,
  contextType: "string" as const,
});
