import type { CDPSession, Response } from "@playwright/test";
import { execute } from "./support/database.ts";
import { expect, holdStream, type Page, test } from "./support/test.ts";
import { newWorld, type World } from "./support/world.ts";

/** The number of flags: the default quota of a project (QUOTA_FLAGS). */
const MANY = 5_000;
/** One full page of the list. */
const FEW = 50;

/**
 * The number of measurements of each kind. The test uses the cheapest, because the first one also
 * compiles the dashboard's code.
 */
const ATTEMPTS = 2;

/** The factor by which two measurements of equal work may differ. */
const NOISE = 3;
/**
 * The most CPU time that the list may take, as a multiple of the CPU time in which the same browser
 * draws as many plain elements. The list takes 12 to 30.
 */
const LIST_COST = 60;

const KEY = "flag-0042";
const MINUTE_MS = 60_000;

// A trace would take a copy of the page after each action, in the CPU time of the page.
test.use({ trace: "off", hasOwnContext: true });

// The limits are counts and ratios. CPU time does not depend on what else the machine runs, unlike
// the time on the clock.
test("a list of 5,000 flags with rules and variants costs the browser as much as a list of 50, and typing does not draw the list again", async ({
  page,
  world,
  api,
  signInAs,
}) => {
  test.slow();
  const small = await newWorld(api);
  await fill(world, MANY);
  await fill(small, FEW);
  await page.clock.install();
  await holdStream(page);
  await signInAs("DEVELOPER");
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable");

  const visits: Record<"few" | "many", Visit[]> = { few: [], many: [] };
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    visits.few.push(await visit(page, client, small));
    visits.many.push(await visit(page, client, world));
  }
  const [few, many] = [cheapest(visits.few), cheapest(visits.many)];
  const plain = await cpuOfPlainElements(page, client, many.elements);
  console.log(
    `  CPU time: ${FEW} flags ${few.list} ms, ${MANY} flags ${many.list} ms, typing ` +
      `${many.typing} ms, ${many.elements} plain elements ${plain} ms`,
  );

  expect(few.requests).toHaveLength(2);
  expect(many.requests).toEqual(few.requests);
  expect(many.rows).toBe(few.rows);
  expect(many.elements).toBeLessThan(NOISE * few.elements);
  expect(many.bytes).toBeLessThan(NOISE * few.bytes);
  expect(many.list).toBeLessThan(NOISE * few.list);
  expect(many.list).toBeLessThan(LIST_COST * plain);
  expect(many.typing).toBeLessThan(many.list);
});

/** The measurements of one visit to the list of flags. */
interface Visit {
  /** The requests for flags, without the id of the project. */
  readonly requests: readonly string[];
  /** The size of the responses with flags. */
  readonly bytes: number;
  readonly rows: number;
  /** The number of elements of the page. */
  readonly elements: number;
  /** The CPU time of showing the list, milliseconds. */
  readonly list: number;
  /** The CPU time of typing a key into the search box, milliseconds. */
  readonly typing: number;
}

const cheapest = (visits: readonly Visit[]): Visit => ({
  ...visits[0]!,
  list: Math.min(...visits.map(({ list }) => list)),
  typing: Math.min(...visits.map(({ typing }) => typing)),
});

/** Opens the list of flags with an empty query cache, and searches for a flag. */
async function visit(page: Page, client: CDPSession, { project }: World): Promise<Visit> {
  await page.goto(`/projects/${project.id}/tags`);
  await expect(page.getByRole("heading", { level: 1, name: "Tags" })).toBeVisible();
  await untilIdle(page);
  const flags = recordFlagRequests(page);
  const list = await cpuTime(client, async () => {
    await page.getByRole("link", { name: "Flags", exact: true }).click();
    // The first rows are shown before the others.
    await expect(page.locator("tbody tr")).toHaveCount(FEW);
    await untilIdle(page);
  });
  const rows = await page.locator("tbody tr").count();
  const elements = await page.evaluate<number>("document.querySelectorAll('*').length");

  const search = page.getByRole("combobox", { name: "Search" });
  await search.focus();
  // While the clock stands still, the search does not begin, however slow the typing is.
  await page.clock.pauseAt((await page.evaluate<number>("Date.now()")) + MINUTE_MS);
  const typing = await cpuTime(client, async () => {
    await page.keyboard.type(KEY);
    await expect(search).toHaveValue(KEY);
  });
  await page.clock.resume();
  await expect(page.getByRole("link", { name: "flag-0041" })).toHaveCount(0);
  await expect(page.getByRole("link", { name: KEY })).toBeVisible();
  return { rows, elements, list, typing, ...(await flags()) };
}

/** Waits until the page has no work left that it began before. */
const untilIdle = (page: Page): Promise<void> =>
  page.evaluate("new Promise((resolve) => requestIdleCallback(resolve))");

/** Records the requests for flags. Returns a function that returns the record. */
function recordFlagRequests(page: Page) {
  const requests: string[] = [];
  const sizes: Promise<number>[] = [];
  const onResponse = (response: Response) => {
    const { pathname, searchParams } = new URL(response.url());
    if (!pathname.startsWith("/api/v1/flags")) return;
    searchParams.delete("projectId");
    requests.push(`${pathname}?${searchParams.toString()}`);
    // The browser keeps no body of a request that the page has cancelled.
    sizes.push(
      response.body().then(
        ({ length }) => length,
        () => 0,
      ),
    );
  };
  page.on("response", onResponse);
  return async () => {
    page.off("response", onResponse);
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    return { requests, bytes };
  };
}

/** Returns the CPU time that the page's main thread spends while `work` runs, milliseconds. */
async function cpuTime(client: CDPSession, work: () => Promise<unknown>): Promise<number> {
  const now = async () => {
    const { metrics } = await client.send("Performance.getMetrics");
    const seconds = metrics.find(({ name }) => name === "ThreadTime")?.value;
    if (seconds === undefined) throw new Error("The browser does not report its CPU time");
    return seconds * 1000;
  };
  const before = await now();
  await work();
  return Math.round((await now()) - before);
}

/** Returns the CPU time in which the page draws elements without style or script, milliseconds. */
async function cpuOfPlainElements(page: Page, client: CDPSession, count: number): Promise<number> {
  const draw = `{
    const box = document.createElement("div");
    box.innerHTML = "<p><b>text</b></p>".repeat(${count / 2});
    document.body.append(box);
    box.getBoundingClientRect();
    box.remove();
  }`;
  const times: number[] = [];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++)
    times.push(await cpuTime(client, () => page.evaluate(draw)));
  return Math.min(...times);
}

const VARIANTS = JSON.stringify([
  { key: "blue", value: "#0000ff", description: null },
  { key: "red", value: "#ff0000", description: null },
]);
const RULES = JSON.stringify(
  ["first", "second"].map((id) => ({
    id,
    name: id,
    constraints: [{ field: "country", operator: "in", values: ["de"], contextType: "string" }],
    segmentIds: [],
    percentage: 100,
    serve: { variant: "red" },
  })),
);

/**
 * Writes flags with two variants and three rules, the last of which is the strategy's own fields.
 * Writes by SQL, because the API would take minutes.
 */
const fill = ({ project, development, production }: World, flags: number): Promise<unknown> =>
  execute(`
    INSERT INTO flags (project_id, key, name, flag_type, value_type, variants, off_variant, created_at, updated_at)
      WITH RECURSIVE numbers (number) AS
        (SELECT 0 UNION ALL SELECT number + 1 FROM numbers WHERE number < ${flags - 1})
      SELECT ${project.id}, printf('flag-%04d', number), printf('flag-%04d', number), 'RELEASE', 'string', '${VARIANTS}', 'blue', 0, 0
      FROM numbers;
    INSERT INTO strategies (flag_id, environment_id, enabled, percentage, constraints, serve, rules, updated_at)
      SELECT flags.id, environments.id, flags.id % 2, 50, '[]', '{"variant":"blue"}', '${RULES}', 0
      FROM flags JOIN environments USING (project_id)
      WHERE environments.id IN (${development.id}, ${production.id});
  `);
