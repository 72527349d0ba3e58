import { OFREPProvider } from "@openfeature/ofrep-provider";
import {
  type EvaluationContext,
  type EvaluationDetails,
  type JsonValue,
  OpenFeature,
} from "@openfeature/server-sdk";
import { type Api, baseUrl } from "./support/api.ts";
import { EVALUATIONS, newFlags, setStrategy } from "./support/openfeature/flags.ts";
import { printedBy, programOf, siteOf } from "./support/programs.ts";
import { snippetOf } from "./support/openfeature/snippets.ts";
import { expect, type Page, test } from "./support/test.ts";
import { newFlag, newKey, type World } from "./support/world.ts";

/** The options of a provider that asks for changes twice a second. */
const POLLING = { pollInterval: 500, changeDetection: "polling" };

type Headers = [string, string][];

/** Returns the options of a provider of OpenFeature. `root`: the path before `/ofrep/v1`. */
const optionsOf = (apiKey: string, root: "/api" | "" = "/api") => ({
  baseUrl: `${baseUrl()}${root}`,
  headers: [["Authorization", `Bearer ${apiKey}`]] as Headers,
});

const frontendKey = async (api: Api, { development }: World): Promise<string> =>
  (await newKey(api, development, "FRONTEND")).apiKey;

/** Calls a function of the program on the page, and returns its result. */
const call = <T>(page: Page, name: string, ...args: readonly unknown[]): Promise<T> =>
  page.evaluate<T>(`${name}(${args.map((arg) => JSON.stringify(arg)).join()})`);

const start = (page: Page, options: object, context: EvaluationContext) =>
  call<string>(page, "flags.start", options, context);

const detailsIn = (page: Page, key: string, fallback: JsonValue) =>
  call<EvaluationDetails<JsonValue>>(page, "flags.details", key, fallback);

test.describe("the web provider on a page of another origin", () => {
  test("gets values of all types, and defaults of the code, from /api/ofrep/v1", async ({
    page,
    api,
    world,
  }) => {
    await newFlags(api, world);
    using site = await siteOf(programOf("web-client.ts"));
    await page.goto(site.url);
    const options = optionsOf(await frontendKey(api, world));
    expect(new URL(site.url).origin).not.toBe(new URL(baseUrl()).origin);
    expect(await start(page, options, { targetingKey: "ann" })).toBe("READY");
    for (const { key, fallback, expected } of EVALUATIONS)
      expect(await detailsIn(page, key, fallback)).toMatchObject({ flagKey: key, ...expected });
    expect(await detailsIn(page, "split", false)).toMatchObject({ reason: "SPLIT" });
  });

  test("gets the values of a new context under the same targetingKey, also after a reload", async ({
    page,
    api,
    world,
  }) => {
    await newFlags(api, world);
    using site = await siteOf(programOf("web-client.ts"));
    await page.goto(site.url);
    const options = optionsOf(await frontendKey(api, world));
    const titleIs = (value: string) =>
      expect.poll(async () => (await detailsIn(page, "title", "code")).value).toBe(value);
    await start(page, options, { targetingKey: "ann", plan: "free" });
    await titleIs("Hello");
    await call(page, "flags.setContext", { targetingKey: "ann", plan: "pro" });
    await titleIs("Hello and welcome");
    await call(page, "flags.setContext", { targetingKey: "ann", plan: "free" });
    await titleIs("Hello");
    // The provider has stored the values and their ETag under the targetingKey alone.
    await page.reload();
    await start(page, options, { targetingKey: "ann", plan: "pro" });
    await titleIs("Hello and welcome");
  });

  test("polls with the ETag, and learns of a switched flag", async ({ page, api, world }) => {
    const { id, key } = await newFlag(api, world);
    using site = await siteOf(programOf("web-client.ts"));
    await page.goto(site.url);
    const statuses: number[] = [];
    page.on("response", (response) => {
      if (response.request().method() === "POST") statuses.push(response.status());
    });
    const options = { ...optionsOf(await frontendKey(api, world)), ...POLLING };
    await start(page, options, { targetingKey: "ann" });
    expect(await detailsIn(page, key, true)).toMatchObject({ value: false, reason: "DISABLED" });
    await expect.poll(() => statuses.filter((status) => status === 304).length).toBeGreaterThan(1);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    await setStrategy(api, world, id, {});
    await expect.poll(() => call(page, "flags.changed")).toContain(key);
    expect(await detailsIn(page, key, false)).toMatchObject({ value: true, reason: "STATIC" });
  });

  test.describe("with an unknown key", () => {
    test.use({ mayLogErrors: true });

    test("ends with the status FATAL for an unknown key, and not for a new key", async ({
      page,
      api,
      world,
    }) => {
      using site = await siteOf(programOf("web-client.ts"));
      await page.goto(site.url);
      expect(await start(page, optionsOf("x".repeat(64)), {})).toBe("FATAL");
      expect(await start(page, optionsOf(await frontendKey(api, world)), {})).toBe("READY");
    });
  });
});

test("a React component with OpenFeature's hook renders again when the event stream reports a switched flag", async ({
  page,
  api,
  world,
}) => {
  const { id, key } = await newFlag(api, world);
  using site = await siteOf(programOf("react-client.ts"));
  await page.goto(site.url);
  await call(page, "shop.start", key, optionsOf(await frontendKey(api, world)));
  const title = page.getByRole("heading");
  await expect(title).toHaveText("Old checkout");
  await setStrategy(api, world, id, {});
  await expect(title).toHaveText("New checkout");
  await setStrategy(api, world, id, { enabled: false });
  await expect(title).toHaveText("Old checkout");
  expect(await call(page, "shop.renders")).toBeGreaterThanOrEqual(3);
});

test.describe("the server provider in Node", () => {
  test.afterEach(() => OpenFeature.close());

  const details = (key: string, fallback: JsonValue, context: EvaluationContext) => {
    const client = OpenFeature.getClient();
    if (typeof fallback === "boolean") return client.getBooleanDetails(key, fallback, context);
    if (typeof fallback === "string") return client.getStringDetails(key, fallback, context);
    if (typeof fallback === "number") return client.getNumberDetails(key, fallback, context);
    return client.getObjectDetails(key, fallback, context);
  };

  test("gets values of all types, and defaults of the code, from /ofrep/v1", async ({
    api,
    world,
  }) => {
    await newFlags(api, world);
    const { apiKey } = await newKey(api, world.development);
    await OpenFeature.setProviderAndWait(new OFREPProvider(optionsOf(apiKey, "")));
    for (const { key, fallback, expected } of EVALUATIONS)
      expect(await details(key, fallback, { targetingKey: "ann" })).toMatchObject({
        flagKey: key,
        ...expected,
      });
    expect(await details("title", "code", { targetingKey: "ann", plan: "pro" })).toMatchObject({
      value: "Hello and welcome",
      reason: "TARGETING_MATCH",
    });
    expect(await details("split", true, {})).toMatchObject({
      value: true,
      errorCode: "TARGETING_KEY_MISSING",
    });
  });
});

test.describe("the program in docs/use/openfeature.md", () => {
  const newCheckout = async (api: Api, world: World) => {
    const flag = await newFlag(api, world);
    const turn = (enabled: boolean) => setStrategy(api, world, flag.id, { enabled });
    return { flagKey: flag.key, turn };
  };

  for (const section of ["Web", "React"])
    test(`for ${section} shows a switched flag`, async ({ page, api, world }) => {
      const { flagKey, turn } = await newCheckout(api, world);
      await turn(true);
      const apiKey = await frontendKey(api, world);
      const program = snippetOf(section, { url: baseUrl(), apiKey, flagKey });
      expect(program).toContain("pollInterval: 30_000");
      using site = await siteOf(program.replace("pollInterval: 30_000", "pollInterval: 500"));
      await page.goto(site.url);
      const shows = (text: string) =>
        section === "Web"
          ? expect(page).toHaveTitle(text)
          : expect(page.getByRole("heading")).toHaveText(text);
      await shows("New checkout");
      await turn(false);
      await shows("Old checkout");
    });

  test("for Node prints whether the flag is on", async ({ api, world }) => {
    const { flagKey, turn } = await newCheckout(api, world);
    const { apiKey } = await newKey(api, world.development);
    const program = snippetOf("Node", { url: baseUrl(), apiKey, flagKey });
    expect(await printedBy(program)).toBe("false\n");
    await turn(true);
    expect(await printedBy(program)).toBe("true\n");
  });
});
