import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, type Page } from "@playwright/test";
import type { Api, Schemas } from "./api.ts";
import { ADMIN } from "./people.ts";
import { newWorld } from "./world.ts";

/** The files with the routes: those of a project, and the others. */
const ROUTES = ["project-routes.ts", "router.tsx"].map((file) =>
  path.resolve(import.meta.dirname, "../../../dashboard/src/app", file),
);

/** The paths that lead to the list of projects or to the flags of a project. */
const REDIRECTS: ReadonlySet<string> = new Set(["/", "/projects/$projectId"]);

/**
 * Returns the path of every route that shows a page of its own. Parses the source of the routes,
 * so that the tests also cover new pages.
 */
export function routedPaths(): readonly string[] {
  const source = ROUTES.map((file) => readFileSync(file, "utf8")).join("\n");
  const routes = [
    ...source.matchAll(
      /const (\w+) = createRoute\(\{\s*getParentRoute: \(\) => (\w+),\s*path: "([^"]+)"/g,
    ),
  ];
  if (routes.length !== source.match(/ = createRoute\(/g)?.length)
    throw new Error(
      "router.tsx or project-routes.ts has a route that this parser does not understand; write it like the others",
    );
  const paths = new Map([["root", ""]]);
  for (const [, name = "", parent = "", own = ""] of routes)
    paths.set(name, `${paths.get(parent)}${own === "/" ? "" : own}`);
  paths.delete("root");
  const all = [...new Set(paths.values())].map((found) => (found === "" ? "/" : found));
  return all.filter((found) => !REDIRECTS.has(found));
}

type Ids = Readonly<Record<string, number>>;

/** Ids for the parameters in route paths, by parameter name. */
export interface DemoIds {
  readonly demo: Ids;
  /** The ids of an integration and of its project. The demo project has no integration. */
  readonly integration: Ids;
}

/** Creates what the demo lacks. `author` opens the change request, which others can review. */
export async function demoIds(api: Api, author = api): Promise<DemoIds> {
  const projectId = await idOf(api, "/api/v1/projects", "Alpenglow Outfitters");
  const of = (list: string, name: string) =>
    idOf(api, `/api/v1/${list}?projectId=${projectId}`, name);
  const { items } = await api.get<Schemas["FlagPage"]>(
    `/api/v1/flags?projectId=${projectId}&search=new-checkout`,
  );
  const demo = {
    projectId,
    flagId: items[0]?.id ?? 0,
    segmentId: await of("segments", "EU customers"),
    contextId: await of("contexts", "Country of delivery"),
  };
  const { project } = await newWorld(api);
  const { id } = await api.post<Schemas["Integration"]>("/api/v1/integrations", {
    name: "Chat",
    enabled: true,
    type: "custom_webhook",
    configJson: JSON.stringify({ url: "https://hooks.example.com/flags" }),
    eventSubscriptionsJson: JSON.stringify(["flag.updated"]),
    projectId: project.id,
  });
  // Turned off, so that the sign-in page of other tests does not offer it.
  await api.post<Schemas["IdentityProvider"]>("/api/v1/settings/identity-providers", {
    slug: `okta-${crypto.randomUUID().slice(0, 8)}`,
    name: "Okta",
    type: "oidc",
    enabled: false,
    issuer: "https://example.okta.com",
    clientId: "0oa1b2c3d4",
    clientSecret: "a secret",
    domains: ["example.com", "example.org"],
    groupClaim: "groups",
    roles: [{ group: "flag-admins", role: "ADMIN" }],
  });
  return {
    demo: {
      ...demo,
      requestId: await newRequest(author, projectId, demo.flagId),
      serviceAccountId: await newServiceAccount(api, projectId),
    },
    integration: { projectId: project.id, integrationId: id },
  };
}

/** Proposes a change of a flag in an environment, and returns the id of the change request. */
export async function newRequest(api: Api, projectId: number, flagId: number): Promise<number> {
  const [environment] = await api.get<Schemas["Environment"][]>(
    `/api/v1/environments?projectId=${projectId}`,
  );
  const target = { flagId, environmentId: environment?.id };
  const { id } = await api.post<Schemas["ChangeRequest"]>("/api/v1/change-requests", {
    projectId,
    title: "Less for everybody",
    operations: [{ kind: "strategy.set", target, input: { percentage: 7 } }],
  });
  return id;
}

/**
 * Creates a service account with a token, and a token of the administrator whose session `api` has.
 * Returns the id of the service account.
 */
async function newServiceAccount(api: Api, projectId: number): Promise<number> {
  const { id } = await api.post<Schemas["ServiceAccount"]>("/api/v1/service-accounts", {
    name: "Deployment",
    role: "DEVELOPER",
    projectId,
  });
  const token = { name: "ci", scopes: ["read"], currentPassword: ADMIN.password };
  await api.post("/api/v1/tokens", { ...token, serviceAccountId: id });
  await api.post("/api/v1/tokens", { ...token, projectIds: [projectId] });
  return id;
}

async function idOf(api: Api, list: string, name: string): Promise<number> {
  const items = await api.get<{ id: number; name: string }[]>(list);
  const found = items.find((item) => item.name === name);
  if (!found) throw new Error(`The demo has no ${name} in ${list}`);
  return found.id;
}

/** Returns a route's path with ids in it. Throws: Error if a parameter has no id in `DemoIds`. */
export function addressOf(routed: string, { demo, integration }: DemoIds): string {
  const ids = routed.includes("$integrationId") ? integration : demo;
  return routed.replaceAll(/\$(\w+)/g, (_, name: string) => {
    const id = ids[name];
    if (id === undefined)
      throw new Error(`No id for $${name}: add one to demoIds in support/pages.ts`);
    return String(id);
  });
}

/** Opens a page, and waits until it has a heading and no loading placeholder is visible. */
export async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/\S/);
  await expectLoaded(page);
}

/** Goes to a path as a link does, without a load. The page must already show the dashboard. */
export const follow = (page: Page, address: string): Promise<unknown> =>
  page.evaluate(`history.pushState(null, "", ${JSON.stringify(address)})`);

/** Follows a path to a page with another heading, and waits as `open` does. */
export async function followAndLoad(page: Page, address: string): Promise<void> {
  await page.evaluate("document.querySelector('h1').id = 'heading-before'");
  await follow(page, address);
  await expect(page.locator("h1:not(#heading-before)")).toHaveText(/\S/);
  await expectLoaded(page);
}

/** Waits until no loading placeholder is visible. */
export async function expectLoaded(page: Page): Promise<void> {
  const outlines = page.locator(".mantine-Skeleton-root, .mantine-Loader-root");
  await expect(outlines.filter({ visible: true })).toHaveCount(0);
}
