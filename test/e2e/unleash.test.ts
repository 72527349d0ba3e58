import { baseUrl } from "./support/api.ts";
import { setStrategy } from "./support/openfeature/flags.ts";
import { programOf, siteOf } from "./support/programs.ts";
import { expect, test } from "./support/test.ts";
import { newFlag, newKey } from "./support/world.ts";

test("unleash-proxy-client on a page of another origin evaluates flags with GET and POST, gets 304, reports usage, and learns of a change", async ({
  page,
  api,
  world,
}) => {
  const checkout = await newFlag(api, world);
  await setStrategy(api, world, checkout.id, {});
  const colours = ["blue", "grey"].map((key) => ({ key, value: `the colour ${key}` }));
  const colour = await newFlag(api, world, { valueType: "string", variants: colours });
  await setStrategy(api, world, colour.id, { serve: { variant: "blue" } });
  const { apiKey } = await newKey(api, world.development, "FRONTEND");
  const received = new Set<string>();
  page.on("response", (response) => {
    const { origin, pathname } = new URL(response.url());
    const request = `${response.request().method()} ${pathname}`;
    if (origin === new URL(baseUrl()).origin) received.add(`${request} ${response.status()}`);
  });
  using site = await siteOf(programOf("unleash-client.ts"));
  await page.goto(site.url);
  const call = (name: string, argument: unknown) =>
    page.evaluate(`unleash.${name}(${JSON.stringify(argument)})`);

  for (const [method, isOn] of [
    ["GET", true],
    ["POST", false],
  ] as const) {
    received.clear();
    await call("start", {
      url: `${baseUrl()}/api/unleash/frontend`,
      clientKey: apiKey,
      appName: "web",
      context: { userId: "ann" },
      refreshInterval: 0.2,
      metricsInterval: 0.2,
      usePOSTrequests: method === "POST",
    });
    expect(await call("isEnabled", checkout.key)).toBe(isOn);
    expect(await call("isEnabled", "unknown")).toBe(false);
    const payload = { type: "string", value: "the colour blue" };
    expect(await call("getVariant", colour.key)).toMatchObject({ name: "blue", payload });
    await expect.poll(() => [...received]).toContain(`${method} /api/unleash/frontend 304`);
    await expect
      .poll(() => [...received])
      .toContain("POST /api/unleash/frontend/client/metrics 202");
    await setStrategy(api, world, checkout.id, { enabled: !isOn });
    await expect.poll(() => call("isEnabled", checkout.key)).toBe(!isOn);
    expect([...received].filter((one) => !/ (?:20[024]|304)$/.test(one))).toEqual([]);
  }
});
