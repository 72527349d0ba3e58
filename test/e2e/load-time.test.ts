import type { CDPSession } from "@playwright/test";
import { execute } from "./support/database.ts";
import { expect, type Page, test } from "./support/test.ts";
import type { World } from "./support/world.ts";

/*
 * `MEASURE_LOAD=1 npx playwright test test/e2e/load-time.test.ts` prints how long a browser with an
 * empty cache takes to show the list of flags (docs/build/performance.md). It has no limit, because
 * times depend on the machine. test/process/entry-weight.test.ts limits the size instead.
 */

const FLAGS = 1_000;
const ROUNDS = 5;

// A trace would take a copy of the page after each action, in the CPU time of the page.
test.use({ trace: "off", hasOwnContext: true });

test("a visit to the list of 1,000 flags prints the time until the first flag is shown", async ({
  page,
  world,
  signInAs,
}) => {
  await fill(world);
  await page.addInitScript(WATCH);
  await signInAs("DEVELOPER");
  const client = await page.context().newCDPSession(page);
  await client.send("Network.enable");

  await load(page, client, world);
  const loads: Load[] = [];
  for (let round = 0; round < ROUNDS; round++) loads.push(await load(page, client, world));
  loads.sort((one, other) => one.ms - other.ms);
  const median = loads[Math.floor(ROUNDS / 2)];
  const all = loads.map(({ ms }) => Math.round(ms)).join(", ");
  console.log(`  ${all} ms, ${Math.round((median?.bytes ?? 0) / 1024)} KB`);
  expect(median?.bytes).toBeGreaterThan(0);
});

interface Load {
  /** From the start of the navigation until the first flag is painted, milliseconds. */
  readonly ms: number;
  /** The bytes that have arrived by then, with headers and compressed. */
  readonly bytes: number;
}

/** Opens the list of flags with an empty cache. */
async function load(page: Page, client: CDPSession, { project }: World): Promise<Load> {
  await page.goto("about:blank");
  await client.send("Network.clearBrowserCache");
  let bytes = 0;
  const count = ({ encodedDataLength }: { encodedDataLength: number }) => {
    bytes += encodedDataLength;
  };
  client.on("Network.loadingFinished", count);
  await page.goto(`/projects/${project.id}/flags`, { waitUntil: "commit" });
  const ms = await page.evaluate<number>("globalThis.shown");
  client.off("Network.loadingFinished", count);
  return { ms, bytes };
}

/**
 * A script that runs in the page before its own scripts. `shown` resolves with the time at which the
 * first flag was painted.
 */
const WATCH = `globalThis.shown = new Promise((resolve) => {
  const observer = new MutationObserver(() => {
    if (!document.querySelector("tbody a")) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
  });
  observer.observe(document, { childList: true, subtree: true });
});`;

const fill = ({ project, development, production }: World): Promise<unknown> =>
  execute(`
    INSERT INTO flags (project_id, key, name, flag_type, value_type, created_at, updated_at)
      WITH RECURSIVE numbers (number) AS
        (SELECT 0 UNION ALL SELECT number + 1 FROM numbers WHERE number < ${FLAGS - 1})
      SELECT ${project.id}, printf('flag-%04d', number), printf('flag-%04d', number), 'RELEASE', 'boolean', 0, 0
      FROM numbers;
    INSERT INTO strategies (flag_id, environment_id, enabled, percentage, constraints, updated_at)
      SELECT flags.id, environments.id, flags.id % 2, 50, '[]', 0
      FROM flags JOIN environments USING (project_id)
      WHERE environments.id IN (${development.id}, ${production.id});
  `);
