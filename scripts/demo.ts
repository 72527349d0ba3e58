import {
  CHANGE_REQUEST,
  type DemoEnvironment,
  ENVIRONMENTS,
  FLAGS,
  PROJECT,
  SEGMENTS,
  strategyIn,
} from "./demo-data.ts";
import type { DemoFlag, DemoRule, DemoStrategy } from "./demo-flag.ts";
import { CONTEXTS, TAGS } from "./demo-vocabulary.ts";
import type { Session } from "./lib/api.ts";
import { inOrder } from "./lib/in-order.ts";

interface Named {
  readonly id: number;
  readonly name: string;
}
type Flag = Named & { readonly key: string };
type Ids = ReadonlyMap<string, number>;

/** Returns the id of the demo project; undefined when the project does not exist. */
export async function findDemoProject(session: Session): Promise<number | undefined> {
  const projects = await session.get<Named[]>("/projects");
  return projects.find(({ name }) => name === PROJECT.name)?.id;
}

/**
 * Creates the demo project through the public API, and returns the project's id. Creates only what
 * is missing, so the next start completes an interrupted start, and existing data stays unchanged.
 */
export async function createDemo(session: Session): Promise<number> {
  const projectId =
    (await findDemoProject(session)) ?? (await session.post<Named>("/projects", PROJECT)).id;
  const environments = await createMissing(
    session,
    "/environments",
    projectId,
    ENVIRONMENTS.map((name) => ({ name, production: name === "production" })),
  );
  await createMissing(session, "/tags", projectId, TAGS);
  await createMissing(session, "/contexts", projectId, CONTEXTS);
  const segments = await createMissing(session, "/segments", projectId, SEGMENTS);
  const { items } = await session.get<{ items: Flag[] }>(
    `/flags?projectId=${projectId}&includeArchived=true&size=200`,
  );
  await inOrder(FLAGS, async (demoFlag) => {
    const flag =
      items.find(({ key }) => key === demoFlag.key) ??
      (await createFlag(session, projectId, demoFlag));
    await setStrategies(session, flag.id, { demoFlag, environments, segments });
  });
  await openRequest(session, projectId, environments);
  return projectId;
}

/** Opens the change request of the demo, unless the project has had one. */
async function openRequest(session: Session, projectId: number, environments: Ids): Promise<void> {
  const path = "/change-requests";
  const { totalItems } = await session.get<{ totalItems: number }>(
    `${path}?projectId=${projectId}&size=1`,
  );
  if (totalItems > 0) return;
  const { title, flagKey, input } = CHANGE_REQUEST;
  const target = { flagKey, environmentId: environments.get("production") };
  const operations = [{ kind: "strategy.set", target, input }];
  await session.post(path, { projectId, title, operations });
}

/** Creates the wanted items that the project lacks. Returns the ids of all wanted items by name. */
async function createMissing(
  session: Session,
  path: "/environments" | "/segments" | "/tags" | "/contexts",
  projectId: number,
  wanted: readonly { readonly name: string }[],
): Promise<Ids> {
  const existing = await session.get<Named[]>(`${path}?projectId=${projectId}`);
  const missing = wanted.filter(({ name }) => !existing.some((item) => item.name === name));
  const created = await inOrder(missing, (item) =>
    session.post<Named>(path, { ...item, projectId }),
  );
  return new Map([...existing, ...created].map(({ id, name }) => [name, id]));
}

function createFlag(session: Session, projectId: number, demoFlag: DemoFlag): Promise<Flag> {
  const { production: _, ...flag } = demoFlag;
  return session.post<Flag>("/flags", { ...flag, projectId });
}

interface DemoStrategies {
  readonly demoFlag: DemoFlag;
  readonly environments: Ids;
  readonly segments: Ids;
}

/**
 * Sets the strategies of a demo flag. Skips a strategy that an interrupted start or a user has set
 * already.
 */
async function setStrategies(
  session: Session,
  flagId: number,
  { demoFlag, environments, segments }: DemoStrategies,
): Promise<void> {
  const path = `/flags/${flagId}/strategies`;
  const current = await session.get<{ environmentName: DemoEnvironment; version: number }[]>(path);
  const unset = current.filter(
    ({ environmentName, version }) => version === 0 && ENVIRONMENTS.includes(environmentName),
  );
  await inOrder(unset, ({ environmentName }) =>
    session.put(path, {
      environmentId: environments.get(environmentName),
      ...toRequest(strategyIn(environmentName, demoFlag), segments),
    }),
  );
}

const toRequest = ({ rules = [], ...strategy }: DemoStrategy, ids: Ids) => ({
  ...withIds(strategy, ids),
  rules: rules.map((rule) => withIds(rule, ids)),
});

/** Replaces segment names by ids, and `percentage` by `exactPercentage`, which may have decimals. */
const withIds = <T extends DemoRule | Omit<DemoStrategy, "rules">>(
  { segments = [], percentage, ...rest }: T,
  ids: Ids,
) => ({
  ...rest,
  exactPercentage: percentage,
  segmentIds: segments.map((name) => ids.get(name)),
});
