import type { Browser, Request } from "@playwright/test";
import type { Api, Schemas } from "./support/api.ts";
import { addressOf, newRequest, open, routedPaths } from "./support/pages.ts";
import { evaluate } from "./support/playground.ts";
import { isIn, setStrategy } from "./support/strategies.ts";
import {
  contextOptions,
  expect,
  holdStream,
  NEXT_FRAME,
  type Page,
  storeSession,
  test,
} from "./support/test.ts";
import { newFlag, newKey, newWorld, type World } from "./support/world.ts";

/** The most API requests that a page sends when it is opened. */
const MOST = 12;

/**
 * The number of rows in each list. A page that sends one request for each row is noticed, because
 * it sends this many equal requests.
 */
const ROWS = 6;

test("a page sends at most 12 requests when it is opened, and none for each row", async ({
  browser,
  api,
  sessionOf,
}) => {
  const project = await newProject(browser, [api, await sessionOf("DEVELOPER")]);
  for (const path of routedPaths()) {
    const requests = await requestsOf(project.page, addressOf(path, project));
    const all = `${path}: ${requests.join(", ")}`;
    expect.soft(requests.length, all).toBeLessThanOrEqual(MOST);
    const repeated = requests.filter(
      (one) => requests.filter((other) => other === one).length >= ROWS,
    );
    expect.soft(repeated, all).toEqual([]);
  }
  await project.page.close();
});

/** Creates a project with `ROWS` rows in each list, and a page to show it. */
async function newProject(browser: Browser, actors: readonly [Api, Api]) {
  const world = await newWorld(actors[0]);
  for (let row = 3; row <= ROWS; row++)
    await actors[0].post("/api/v1/environments", { name: `e${row}`, projectId: world.project.id });
  let ids: Readonly<Record<string, number>> = {};
  const tags: string[] = [];
  for (let row = 1; row <= ROWS; row++) {
    tags.push(`tag ${row}`);
    ids = await addRow(actors, world, tags);
  }
  const page = await browser.newPage(contextOptions());
  await storeSession(page, actors[0]);
  await holdStream(page);
  return { page, demo: ids, integration: ids };
}

/**
 * Adds a row to each list of a project: two people create a tag, a segment, and so on. Returns ids
 * for the parameters of paths. The flag has the given tags and requires all flags before it.
 */
async function addRow([admin, developer]: readonly [Api, Api], world: World, tags: string[]) {
  const { project, production, development } = world;
  const projectId = project.id;
  const row = tags.length;
  const name = `Row ${row}`;
  await admin.post("/api/v1/tags", { name: tags.at(-1), color: "#2f9e44", projectId });
  const definition = await admin.post<Schemas["ContextDefinition"]>("/api/v1/contexts", {
    name,
    contextKey: `field-${row}`,
    contextType: "string",
    projectId,
  });
  const value = await admin.post<Schemas["ContextValue"]>(
    `/api/v1/contexts/${definition.id}/values`,
    { value: "DE" },
  );
  const { items: earlier } = await admin.get<Schemas["FlagPage"]>(
    `/api/v1/flags?projectId=${projectId}`,
  );
  const constraints = Array.from({ length: row }, (_, n) => isIn(`field-${n + 1}`, "DE"));
  const segment = await developer.post<Schemas["Segment"]>("/api/v1/segments", {
    name,
    constraints,
    projectId,
  });
  await evaluate(await newKey(admin, production), {});
  const integration = await admin.post<Schemas["Integration"]>("/api/v1/integrations", {
    name,
    enabled: true,
    type: "custom_webhook",
    configJson: JSON.stringify({ url: "https://hooks.example.com/flags" }),
    eventSubscriptionsJson: JSON.stringify(["segment.deleted"]),
    projectId,
  });
  const flag = await newFlag(developer, world, {
    tags,
    prerequisites: earlier.map(({ key }) => ({ flagKey: key, enabled: true })),
    ownerIds: [admin.session.user.id, developer.session.user.id],
  });
  const segments = await admin.get<Schemas["Segment"][]>(`/api/v1/segments?projectId=${projectId}`);
  const segmentIds = segments.map(({ id }) => id);
  for (const environment of [production, development])
    await setStrategy(developer, flag, environment, { enabled: true, constraints, segmentIds });
  await admin.put(`/api/v1/contexts/values/${value.id}`, { description: "Germany" });
  const gone = await newFlag(admin, world);
  await admin.post(`/api/v1/flags/${gone.id}/archive`);
  await admin.delete(`/api/v1/flags/${gone.id}`);
  return {
    projectId,
    flagId: flag.id,
    segmentId: segment.id,
    contextId: definition.id,
    integrationId: integration.id,
    requestId: await newRequest(developer, projectId, flag.id),
  };
}

/** A page counts as loaded when this many checks in a row find no running request. */
const QUIET_LOOKS = 3;

/**
 * Opens a page and returns the paths of its API requests, sorted, with `{id}` instead of ids. Waits
 * until the whole page has loaded, with the code of its menus.
 */
async function requestsOf(page: Page, address: string): Promise<string[]> {
  const paths: string[] = [];
  let running = 0;
  const onRequest = (request: Request) => {
    if (isStream(request)) return;
    running++;
    const { pathname } = new URL(request.url());
    // The flag page records a second after it is shown that the user has opened it.
    if (request.method() === "POST" && pathname === "/api/v1/auth/me/preferences") return;
    if (pathname.startsWith("/api/"))
      paths.push(`${request.method()} ${pathname.replaceAll(/\/\d+/g, "/{id}")}`);
  };
  const onEnd = (request: Request) => {
    if (!isStream(request)) running--;
  };
  page.on("request", onRequest).on("requestfinished", onEnd).on("requestfailed", onEnd);
  await open(page, address);
  await expect(page.getByRole("button", { name: /^Project / })).toBeVisible();
  for (let quiet = 0; quiet < QUIET_LOOKS;) {
    const seen = paths.length;
    await page.evaluate(NEXT_FRAME);
    quiet = running > 0 || paths.length > seen ? 0 : quiet + 1;
  }
  page.off("request", onRequest).off("requestfinished", onEnd).off("requestfailed", onEnd);
  return paths.toSorted();
}

const isStream = (request: Request): boolean => request.url().endsWith("/stream");
