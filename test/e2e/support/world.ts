import type { Api, Schemas } from "./api.ts";
import { execute } from "./database.ts";

/** A project for one test, with the environments `development` and `production`. */
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

/**
 * Creates stale flags, `Old 01` to `Old 69`. Writes by SQL, because the API cannot create a flag that
 * was last changed long ago, and needs a request for each flag.
 */
export const newStaleFlags = ({ project }: World, count = 69): Promise<unknown> =>
  execute(`
    INSERT INTO flags (project_id, key, name, flag_type, created_at, updated_at)
      WITH RECURSIVE numbers (number) AS
        (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < ${count})
      SELECT ${project.id}, printf('old-%02d', number), printf('Old %02d', number), 'RELEASE', 0, 0
      FROM numbers;`);

/** Returns the path of the list of flags. */
export const listPath = ({ project }: World, query = ""): string =>
  `/projects/${project.id}/flags${query}`;

/** Returns the path of a flag's page, optionally with an environment. */
export const flagPath = (
  world: World,
  { id }: { readonly id: number },
  environment?: Schemas["Environment"],
): string => listPath(world, `/${id}${environment ? `?environment=${environment.id}` : ""}`);
