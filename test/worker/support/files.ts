import { call, type Json } from "./client.ts";
import { asAdmin } from "./outcomes.ts";
import { adminToken } from "./people.ts";
import { newEnvironment, newProject } from "./world.ts";

export const COLOURS = {
  valueType: "string",
  variants: ["blue", "red", "teal"].map((key) => ({ key, value: key })),
};
export const FLAG = { name: "Colour", flagType: "RELEASE", ...COLOURS };
export const CART = { name: "Cart", flagType: "KILLSWITCH" };
export const STAFF = {
  constraints: [{ field: "email", operator: "endsWith", values: ["@a.com"] }],
};

export interface Shop {
  readonly id: number;
  readonly name: string;
  readonly staging: number;
  readonly production: number;
}

/** Creates a project with the environments `staging` and `production`. */
export async function newShop(): Promise<Shop> {
  const { id, name } = await newProject();
  const environment = async (title: string): Promise<number> => {
    const { id: environmentId } = await newEnvironment(id);
    await asAdmin("PUT", `/api/v1/environments/${environmentId}`, { name: title });
    return environmentId;
  };
  return {
    id,
    name,
    staging: await environment("staging"),
    production: await environment("production"),
  };
}

export const fileOf = ({ name }: Shop, rest: object) => ({ version: 1, project: name, ...rest });

export const plan = (shop: Shop, file: object, more: object = {}) =>
  asAdmin("POST", `/api/v1/projects/${shop.id}/plan`, { file: fileOf(shop, file), ...more });

export async function applyPlan(shop: Shop, file: object, id: string, more: object = {}) {
  const body = { file: fileOf(shop, file), ...more };
  const headers = { "If-Match": `"${id}"` };
  return call("POST", `/api/v1/projects/${shop.id}/apply`, {
    token: await adminToken(),
    body,
    headers,
  });
}

/** Plans a file and applies it. */
export async function apply(shop: Shop, file: object, more: object = {}) {
  const planned = await plan(shop, file, more);
  if (planned.status !== 200) return planned;
  return applyPlan(shop, file, planned.body.id, more);
}

export const exported = async ({ id }: Shop) =>
  (await asAdmin("GET", `/api/v1/projects/${id}/export`)).body;
export const paths = (list: readonly Json[]): string[] => list.map(({ path }) => path);
export const flagOf = async ({ id }: Shop, key: string) =>
  (await asAdmin("GET", `/api/v1/flags?projectId=${id}&includeArchived=true`)).body.items.find(
    (one: Json) => one.key === key,
  );

/** The managers of the fields of a flag and of its strategies. */
export const managersOf = async (shop: Shop, key: string) => {
  const { id } = await flagOf(shop, key);
  return (await asAdmin("GET", `/api/v1/flags/${id}?related=true`)).body.related.managedBy;
};

export const strategyOf = async (shop: Shop, key: string, environmentId = shop.production) => {
  const { id } = await flagOf(shop, key);
  return (await asAdmin("GET", `/api/v1/flags/${id}/strategies/${environmentId}`)).body;
};

export const PRODUCTION = "/flags/colour/environments/production";
export const inProduction = (strategy: object, flag: object = {}) => ({
  flags: { colour: { ...FLAG, ...flag, environments: { production: strategy } } },
});
