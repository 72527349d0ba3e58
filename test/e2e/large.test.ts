import { execute, hasDatabase } from "./support/database.ts";
import { expect, type Page, test } from "./support/test.ts";
import type { World } from "./support/world.ts";

/** The number of flags: the default quota of a project (QUOTA_FLAGS). */
const FLAGS = 5_000;

/** The limit for the first rows. The goal is one second, but test machines are busy. */
const FIRST_ROWS_MS = 3_000;
/**
 * The limit for a task of the browser, milliseconds. Typing visibly stutters during longer tasks.
 */
const LONG_TASK_MS = 200;

/**
 * The number of attempts. The fastest counts, because the load of the machine slows others down.
 */
const ATTEMPTS = 3;

const KEY = "flag-0042";

const WATCH_LONG_TASKS = `
  globalThis.longTasks = [];
  new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: "longtask" });
`;

test("a list of 5,000 flags shows its first rows within 3 seconds, and typing causes no task of 200 ms", async ({
  page,
  world,
  signInAs,
  consoleErrors,
}) => {
  test.skip(!hasDatabase(), "Needs direct access to the database: run without E2E_URL");
  test.slow();
  await fill(world);
  await page.addInitScript({ content: WATCH_LONG_TASKS });
  await signInAs("DEVELOPER");
  const attempts = [];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++)
    attempts.push({ rows: await firstRows(page, world), task: await longestTask(page) });

  const rows = Math.min(...attempts.map((attempt) => attempt.rows));
  const task = Math.min(...attempts.map((attempt) => attempt.task));
  console.log(`  First rows after ${rows} ms; longest task while typing ${task} ms`);
  expect(rows).toBeLessThan(FIRST_ROWS_MS);
  expect(task).toBeLessThan(LONG_TASK_MS);
  expect(consoleErrors).toEqual([]);
});

/** Returns the milliseconds from the click to the first rows, with an empty query cache. */
async function firstRows(page: Page, { project }: World): Promise<number> {
  await page.goto(`/projects/${project.id}/tags`);
  await expect(page.getByRole("heading", { level: 1, name: "Tags" })).toBeVisible();
  const begin = Date.now();
  await page.getByRole("link", { name: "Flags", exact: true }).click();
  await page.getByRole("link", { name: "flag-0000" }).waitFor();
  return Date.now() - begin;
}

/** Returns the longest task, milliseconds, while the test types into the search box. */
async function longestTask(page: Page): Promise<number> {
  const search = page.getByRole("searchbox", { name: "Search" });
  await search.focus();
  await page.evaluate("longTasks.length = 0");
  for (let typed = 1; typed <= KEY.length; typed++) {
    await page.keyboard.press(KEY.charAt(typed - 1));
    expect(await search.inputValue()).toBe(KEY.slice(0, typed));
  }
  await expect(page.getByRole("link", { name: "flag-0041" })).toHaveCount(0);
  await expect(page.getByRole("link", { name: KEY })).toBeVisible();
  await expect(search).toHaveValue(KEY);
  return Math.max(0, ...(await page.evaluate<number[]>("longTasks")));
}

/** Writes the flags by SQL, because the API would take minutes. */
const fill = ({ project, development, production }: World): Promise<void> =>
  execute(`
    INSERT INTO flags (project_id, key, name, flag_type, created_at, updated_at)
      WITH RECURSIVE numbers (number) AS
        (SELECT 0 UNION ALL SELECT number + 1 FROM numbers WHERE number < ${FLAGS - 1})
      SELECT ${project.id}, printf('flag-%04d', number), printf('flag-%04d', number), 'RELEASE', 0, 0
      FROM numbers;
    INSERT INTO strategies (flag_id, environment_id, enabled, percentage, constraints, updated_at)
      SELECT flags.id, environments.id, flags.id % 2, 50, '[]', 0
      FROM flags JOIN environments USING (project_id)
      WHERE environments.id IN (${development.id}, ${production.id});
  `);
