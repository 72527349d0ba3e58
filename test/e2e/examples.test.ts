import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { buildPackage } from "../../scripts/lib/built-package.ts";
import { type Api, baseUrl } from "./support/api.ts";
import { setStrategy } from "./support/openfeature/flags.ts";
import { expect, type Page, runAtLoad, test } from "./support/test.ts";
import { newFlag, newKey, type World } from "./support/world.ts";

/** The examples as their readers run them: `npm start` in their folders. */

// The first test builds the SDK for all of them.
test.describe.configure({ mode: "default" });

const ROOT = path.resolve(import.meta.dirname, "../..");

/** Runs `npm start` of an example against the service. */
const start = (example: string, variables: Readonly<Record<string, string>>): ChildProcess =>
  spawn("npm", ["start", "--silent"], {
    cwd: path.join(ROOT, "examples", example),
    env: { ...process.env, FLAGS_URL: baseUrl(), ...variables },
    stdio: ["ignore", "pipe", "inherit"],
    // A process group of its own, so that the children of npm can be ended, too.
    detached: true,
  });

/** Returns the first line that a process prints. */
async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error("The output of the process is not piped");
  const [line] = (await once(createInterface({ input: stdout }), "line")) as [string];
  return line;
}

/** Creates the flag of the examples. Returns a function that turns it on and off. */
async function newCheckout(api: Api, world: World) {
  const { id } = await newFlag(api, world, { key: "new-checkout" });
  return (enabled: boolean) => setStrategy(api, world, id, { enabled });
}

const keyOf = async (api: Api, { development }: World, type: "SERVER" | "FRONTEND") =>
  (await newKey(api, development, type)).apiKey;

test("examples/node prints whether the flag is on, and ends", async ({ api, world }) => {
  await buildPackage("sdk");
  const turn = await newCheckout(api, world);
  const variables = { FLAGS_SERVER_KEY: await keyOf(api, world, "SERVER") };
  for (const [enabled, line] of [
    [false, "new-checkout is off for ann (DISABLED)"],
    [true, "new-checkout is on for ann (STATIC)"],
  ] as const) {
    await turn(enabled);
    const example = start("node", variables);
    const closed = once(example, "close");
    expect(await firstLine(example)).toBe(line);
    expect(await closed).toEqual([0, null]);
  }
});

test.describe("examples/react", () => {
  let example: ChildProcess | undefined;

  test.afterEach(() => {
    if (example?.pid !== undefined) process.kill(-example.pid);
    example = undefined;
  });

  /** Starts the example. Returns the address of its page. */
  async function startReact(api: Api, world: World): Promise<string> {
    example = start("react", {
      FLAGS_SERVER_KEY: await keyOf(api, world, "SERVER"),
      FLAGS_FRONTEND_KEY: await keyOf(api, world, "FRONTEND"),
      PORT: "0",
    });
    return firstLine(example);
  }

  interface Seen {
    /** The heading at the first paint. */
    readonly painted: string | undefined;
    /** Every text that the heading has had, without repetitions in a row. */
    readonly texts: readonly string[];
  }

  /** A script of the page: records what the heading shows, from the first paint on. */
  const RECORDER = `
    globalThis.seen = { painted: undefined, texts: [] };
    const heading = () => document.querySelector("h1")?.textContent;
    const note = () => {
      const text = heading();
      if (text !== undefined && text !== seen.texts.at(-1)) seen.texts.push(text);
    };
    const all = { childList: true, characterData: true, subtree: true };
    new MutationObserver(note).observe(document, all);
    new PerformanceObserver(() => {
      seen.painted ??= heading();
    }).observe({ type: "paint", buffered: true });`;

  const seenOn = (page: Page) =>
    page.evaluate(() => (globalThis as unknown as { seen: Seen }).seen);

  test("paints the right value first, keeps it while the service answers, and shows a change", async ({
    page,
    api,
    world,
  }) => {
    const turn = await newCheckout(api, world);
    // The default in the code is off.
    await turn(true);
    const url = await startReact(api, world);
    const html = await (await fetch(url)).text();
    expect(html).toContain("<h1>New checkout</h1>");

    // Holds the response of the flag service back, so that the page has only the values that the
    // web server rendered.
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route("**/ofrep/v1/evaluate/flags*", async (route) => {
      await released;
      await route.continue();
    });
    await runAtLoad(page, RECORDER);
    const asked = page.waitForRequest("**/ofrep/v1/evaluate/flags*");
    await page.goto(url);
    // The browser asks after it has rendered.
    await asked;
    await expect.poll(async () => (await seenOn(page)).painted).toBe("New checkout");
    const answered = page.waitForResponse("**/ofrep/v1/evaluate/flags*");
    release();
    await answered;

    await turn(false);
    await expect(page.getByRole("heading")).toHaveText("Old checkout");
    expect((await seenOn(page)).texts).toEqual(["New checkout", "Old checkout"]);
  });

  test.describe("without the service", () => {
    test.use({ mayLogErrors: true });

    test("keeps the values of the server when the browser does not reach the service", async ({
      page,
      api,
      world,
    }) => {
      const turn = await newCheckout(api, world);
      await turn(true);
      const url = await startReact(api, world);
      await page.route("**/ofrep/v1/evaluate/flags*", (route) => route.abort());
      await runAtLoad(page, RECORDER);
      const warned = page.waitForEvent("console", (message) => message.type() === "warning");
      await page.goto(url);
      await warned;
      expect((await seenOn(page)).texts).toEqual(["New checkout"]);
    });
  });
});
