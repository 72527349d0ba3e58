import type { Api, Schemas } from "./api.ts";

/** A project for one test, with the environments development and production (`production`). */
export interface World {
  readonly project: Schemas["Project"];
  readonly development: Schemas["Environment"];
  readonly production: Schemas["Environment"];
}

export async function newWorld(api: Api): Promise<World> {
  const name = `Test ${crypto.randomUUID().slice(0, 8)}`;
  const project = await api.post<Schemas["Project"]>("/api/v1/projects", { name });
  const environment = (called: string, production: boolean) =>
    api.post<Schemas["Environment"]>("/api/v1/environments", {
      name: called,
      production,
      projectId: project.id,
    });
  const development = await environment("development", false);
  return { project, development, production: await environment("production", true) };
}

export const newFlag = (
  api: Api,
  { project }: World,
  fields: Partial<Schemas["CreateFlag"]> = {},
): Promise<Schemas["Flag"]> => {
  const key = `flag-${crypto.randomUUID().slice(0, 8)}`;
  return api.post("/api/v1/flags", {
    key,
    name: key,
    flagType: "RELEASE",
    projectId: project.id,
    ...fields,
  });
};

export const newKey = (
  api: Api,
  environment: Schemas["Environment"],
  keyType: "SERVER" | "FRONTEND" = "SERVER",
): Promise<Schemas["CreatedApiKey"]> =>
  api.post("/api/v1/api-keys", { name: "Test", keyType, environmentId: environment.id });
