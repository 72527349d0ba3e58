import type { Api, Schemas } from "./support/api.ts";
import { addressOf, followAndLoad, newRequest, open, routedPaths } from "./support/pages.ts";
import { evaluate } from "./support/playground.ts";
import { recordRequests } from "./support/requests.ts";
import { isIn } from "./support/strategies.ts";
import { expect, holdStream, test } from "./support/test.ts";
import { newKey, newWorld } from "./support/world.ts";

/**
 * The number of rows in each list. A page that sends one request for each row is noticed, because
 * it sends this many equal requests.
 */
const ROWS = 6;

// How many requests a page sends when it is loaded is tested in pages.test.ts.
test("no page sends a request for each row", async ({ page, api, sessionOf, signInAs }) => {
  const ids = await newProject([api, await sessionOf("DEVELOPER")]);
  await holdStream(page);
  await signInAs("ADMIN");
  await open(page, "/nowhere");
  for (const path of routedPaths()) {
    const requests = recordRequests(page);
    await followAndLoad(page, addressOf(path, { demo: ids, integration: ids }));
    await requests.untilQuiet();
    requests.stop();
    const paths = requests.paths();
    const repeated = paths.filter((one) => paths.filter((other) => other === one).length >= ROWS);
    expect.soft(repeated, `${path}: ${paths.join(", ")}`).toEqual([]);
  }
});

/**
 * Creates a project in which two people add `ROWS` rows to each list. Returns ids for the parameters
 * of paths. They name the last row, whose flag requires all flags before it.
 */
async function newProject([admin, developer]: readonly [Api, Api]): Promise<
  Readonly<Record<string, number>>
> {
  const { project, production, development } = await newWorld(admin);
  const projectId = project.id;
  const rows = upTo(ROWS);
  const run = async (api: Api, operations: Schemas["RunOperations"]["operations"]) => {
    const body = { projectId, operations };
    return (await api.post<Schemas["OperationsResult"]>("/api/v1/operations", body)).changes;
  };
  const made = await run(admin, [
    ...rows.map((row) => ({
      kind: "tag.create" as const,
      input: { name: `tag ${row}`, color: "#2f9e44" },
    })),
    ...rows.map((row) => ({
      kind: "context.create" as const,
      input: { name: `Row ${row}`, contextKey: `field-${row}`, contextType: "string" as const },
    })),
    ...rows.flatMap((row) => [
      { kind: "flag.create" as const, input: flag(`gone-${row}`) },
      { kind: "flag.archive" as const, target: { flagKey: `gone-${row}` } },
    ]),
  ]);
  const changed = await run(developer, [
    ...rows.map((row) => ({ kind: "flag.delete" as const, target: { flagKey: `gone-${row}` } })),
    ...rows.map((row) => ({
      kind: "segment.create" as const,
      input: { name: `Row ${row}`, constraints: constraintsOf(row) },
    })),
    ...rows.map((row) => ({
      kind: "flag.create" as const,
      input: {
        ...flag(`flag-${row}`),
        tags: upTo(row).map((other) => `tag ${other}`),
        prerequisites: upTo(row - 1).map((other) => ({ flagKey: `flag-${other}`, enabled: true })),
        ownerIds: [admin.session.user.id, developer.session.user.id],
      },
    })),
    ...rows.flatMap((row) =>
      [production, development].map(({ id }) => ({
        kind: "strategy.set" as const,
        target: { flagKey: `flag-${row}`, environmentId: id },
        input: {
          enabled: true,
          constraints: constraintsOf(row),
          segmentIds: upTo(row).map((other) => `Row ${other}`),
        },
      })),
    ),
  ]);
  const idsOf = (changes: typeof made, action: string) => {
    const ids = changes
      .filter((change) => change.action === action)
      .map(({ entityId }) => entityId);
    expect(ids, action).toHaveLength(ROWS);
    return ids;
  };
  const contextIds = idsOf(made, "context.created");
  const flagIds = idsOf(changed, "flag.created");
  let [integrationId, requestId, serviceAccountId] = [0, 0, 0];
  for (const [index, row] of rows.entries()) {
    if (row > 2) await admin.post("/api/v1/environments", { name: `e${row}`, projectId });
    const values = `/api/v1/contexts/${contextIds[index]}/values`;
    const value = await admin.post<Schemas["ContextValue"]>(values, { value: "DE" });
    await admin.put(`/api/v1/contexts/values/${value.id}`, { description: "Germany" });
    await evaluate(await newKey(admin, production), {});
    const integration = await admin.post<Schemas["Integration"]>("/api/v1/integrations", {
      name: `Row ${row}`,
      enabled: true,
      type: "custom_webhook",
      configJson: JSON.stringify({ url: "https://hooks.example.com/flags" }),
      eventSubscriptionsJson: JSON.stringify(["segment.deleted"]),
      projectId,
    });
    integrationId = integration.id;
    requestId = await newRequest(developer, projectId, flagIds[index] ?? 0);
    const account = { name: `Row ${row} of ${project.name}`, role: "VIEWER", projectId };
    const created = await admin.post<Schemas["ServiceAccount"]>(
      "/api/v1/service-accounts",
      account,
    );
    serviceAccountId = created.id;
  }
  return {
    projectId,
    flagId: flagIds.at(-1) ?? 0,
    segmentId: idsOf(changed, "segment.created").at(-1) ?? 0,
    contextId: contextIds.at(-1) ?? 0,
    integrationId,
    requestId,
    serviceAccountId,
  };
}

const flag = (key: string) => ({ key, name: key, flagType: "RELEASE" as const, tags: [] });

/** Returns the numbers of the rows up to this one. */
const upTo = (row: number): number[] => Array.from({ length: row }, (_, index) => index + 1);

const constraintsOf = (row: number) => upTo(row).map((other) => isIn(`field-${other}`, "DE"));
