import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { snippetsFor } from "../../dashboard/src/shared/sdk-snippets/snippets.ts";
import { type Api, baseUrl, request, type Schemas } from "./support/api.ts";
import { printedBy, siteOf } from "./support/programs.ts";
import { setStrategy } from "./support/strategies.ts";
import { expect, expectAccessible, test } from "./support/test.ts";
import { type World, newFlag, newKey } from "./support/world.ts";

/** A flag of the tests is boolean. */
const BOOLEAN = { valueType: "boolean", fallback: false } as const;

const newProject = (api: Api) =>
  api.post<Schemas["Project"]>("/api/v1/projects", {
    name: `Empty ${crypto.randomUUID().slice(0, 8)}`,
  });

/** Creates a flag that is on in development. */
async function newFlagThatIsOn(api: Api, world: World): Promise<Schemas["Flag"]> {
  const flag = await newFlag(api, world);
  await setStrategy(api, flag, world.development, { enabled: true });
  return flag;
}

test("the guided start leads from an empty project to the first evaluated flag", async ({
  page,
  api,
  openAs,
}) => {
  const project = await newProject(api);
  await openAs("ADMIN", `/projects/${project.id}/start`);
  await page.getByRole("button", { name: "Create development and production" }).click();
  const name = page.getByRole("textbox", { name: "Name" });
  await name.fill("New checkout");
  await expect(page.getByRole("textbox", { name: "Key" })).toHaveValue("new-checkout");
  await page.getByRole("button", { name: "Create flag" }).click();
  await page.getByRole("button", { name: "Turn on “New checkout” in development" }).click();
  await expect(page.getByRole("radio", { name: "Frontend key" })).toBeChecked();
  await page.getByRole("button", { name: "Create a key for development" }).click();
  await expect(page.getByRole("textbox", { name: "API key" })).toHaveValue(/./);
  await expect(page.getByRole("status").filter({ hasText: "Waiting" })).toBeVisible();
  // A browser must not have the rules, so a frontend key has no example with the SDK.
  await expect(page.getByRole("tab", { name: "OpenFeature" })).toBeVisible();
  await expect(page.getByRole("tab", { name: "SDK" })).toHaveCount(0);
  await page.getByRole("button", { name: "Evaluate from this page" }).click();
  await expect(page.getByText("“New checkout” is on. STATIC")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Your first flag works" })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("link", { name: "Open playground" }).click();
  await expect(page.getByRole("button", { name: /New checkout/ })).toContainText("On");
});

test("the guided start shows success after another program has fetched the flag", async ({
  page,
  api,
  world,
  openAs,
}) => {
  await newFlagThatIsOn(api, world);
  const key = await newKey(api, world.development);
  await openAs("VIEWER", `/projects/${world.project.id}/start`);
  await expect(page.getByRole("status").filter({ hasText: "Waiting" })).toBeVisible();
  // The guided start cannot show an existing API key again.
  const code = page.getByRole("region", { name: "OpenFeature" });
  await expect(code).toContainText("Bearer YOUR-API-KEY");
  await request("GET", "/api/client/features", { token: key.apiKey });
  await expect(page.getByRole("heading", { name: "Your first flag works" })).toBeVisible();
});

test("the guided start shows an error when an archived flag already has the flag key", async ({
  page,
  api,
  world,
  openAs,
}) => {
  const { id, key } = await newFlag(api, world);
  await api.post(`/api/v1/flags/${id}/archive`);
  await openAs("DEVELOPER", `/projects/${world.project.id}/start`);
  await page.getByRole("textbox", { name: "Name" }).fill("Another");
  await page.getByRole("textbox", { name: "Key" }).fill(key);
  await page.getByRole("button", { name: "Create flag" }).click();
  await expect(page.getByRole("textbox", { name: "Key" })).toHaveAccessibleDescription(
    /Another flag of this project has this key/,
  );
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(page.getByRole("textbox", { name: "Name" })).toHaveValue("Another");
});

test("the TypeScript examples of the guided start print that the flag is on", async ({
  api,
  world,
}) => {
  const { key: flagKey } = await newFlagThatIsOn(api, world);
  const directory = await mkdtemp(path.join(tmpdir(), "feature-flags-snippets-"));
  try {
    for (const keyType of ["FRONTEND", "SERVER"] as const) {
      const { apiKey } = await newKey(api, world.development, keyType);
      const { typescript } = snippetsFor(keyType, { url: baseUrl(), apiKey, flagKey, ...BOOLEAN });
      const file = path.join(directory, `${keyType.toLowerCase()}.ts`);
      // The example for servers polls forever, so `process.exit()` ends the process.
      await writeFile(file, `${typescript}\nprocess.exit();\n`);
      const { stdout } = await promisify(execFile)(process.execPath, [file], {
        env: { ...process.env, FORCE_COLOR: "0" },
      });
      expect(stdout).toBe("true\n");
    }
  } finally {
    await rm(directory, { recursive: true });
  }
});

test("the SDK example of the guided start has the server key, and prints that the flag is on", async ({
  page,
  api,
  world,
  openAs,
}) => {
  const { key: flagKey } = await newFlagThatIsOn(api, world);
  await openAs("ADMIN", `/projects/${world.project.id}/start`);
  await page.getByRole("radio", { name: "Server key" }).click();
  await page.getByRole("button", { name: "Create a key for development" }).click();
  const apiKey = await page.getByRole("textbox", { name: "API key" }).inputValue();
  await page.getByRole("tab", { name: "SDK" }).click();
  const code = page.getByRole("region", { name: "SDK" });
  await expect(code).toContainText(`url: "${baseUrl()}"`);
  await expect(code).toContainText(`key: "${apiKey}"`);
  await expect(code).toContainText(`client.boolean("${flagKey}", false`);
  expect(await printedBy(await code.locator("code").innerText())).toBe("true\n");
  await expect(page.getByRole("heading", { name: "Your first flag works" })).toBeVisible();
});

test("the OpenFeature examples of the guided start print that the flag is on", async ({
  page,
  api,
  world,
}) => {
  const { key: flagKey } = await newFlagThatIsOn(api, world);
  const exampleOf = async (keyType: "SERVER" | "FRONTEND") => {
    const { apiKey } = await newKey(api, world.development, keyType);
    return snippetsFor(keyType, { url: baseUrl(), apiKey, flagKey, ...BOOLEAN }).openfeature;
  };
  expect(await printedBy(await exampleOf("SERVER"))).toBe("true\n");

  const printed: string[] = [];
  page.on("console", (message) => printed.push(message.text()));
  using site = await siteOf(await exampleOf("FRONTEND"));
  await page.goto(site.url);
  await expect.poll(() => printed).toEqual(["true"]);
});
