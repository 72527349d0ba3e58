import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Schemas } from "./support/api.ts";
import { type DemoIds, demoIds, open } from "./support/pages.ts";
import { expect, type Page, test } from "./support/test.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
/** The maximum size of a screenshot, bytes, so that the README loads fast. */
const MAX_BYTES = 250_000;

/** For this context, the second rule of the flag `discount` decides. */
const SHOPPER = { userId: "ann", country: "DE", appVersion: "4.2.0", orders: 12 };

interface Picture {
  readonly file: string;
  readonly scheme: "light" | "dark";
  /** `discountId`: the id of the flag `discount`, which has values and ordered rules. */
  readonly address: (ids: DemoIds["demo"] & { discountId: number }, production: number) => string;
  /** Prepares the open page for the picture. */
  readonly prepare?: (page: Page) => Promise<void>;
}

const PICTURES: readonly Picture[] = [
  {
    file: "docs/images/flags.png",
    scheme: "light",
    address: ({ projectId }) => `/projects/${projectId}/flags`,
    // The demo's usage is counted soon after the service has started.
    prepare: (page) =>
      expect(async () => {
        await page.reload();
        await page.locator("tbody svg[role=img]").first().waitFor({ timeout: 2_000 });
      }).toPass(),
  },
  {
    file: "docs/images/flag.png",
    scheme: "light",
    address: ({ projectId, discountId }, production) =>
      `/projects/${projectId}/flags/${discountId}?environment=${production}`,
  },
  {
    file: "docs/images/playground.png",
    scheme: "dark",
    address: ({ projectId }, production) =>
      `/projects/${projectId}/playground?environment=${production}&search=in&context=${encodeURIComponent(JSON.stringify(SHOPPER))}`,
    prepare: async (page) => {
      await page.getByRole("button", { name: /discount/ }).click();
      await expect(page.getByText("Decides:")).toBeVisible();
      await page.getByRole("heading", { level: 1 }).hover();
    },
  },
  {
    file: "docs/images/insights.png",
    scheme: "dark",
    address: ({ projectId }, production) =>
      `/projects/${projectId}/insights?environment=${production}`,
  },
];

// Runs only with UPDATE_SCREENSHOTS set.
test("the pages of the pictures in the documents open, and the test writes the files", async ({
  page,
  api,
  signInAs,
}) => {
  const { demo } = await demoIds(api);
  const environments = await api.get<Schemas["Environment"][]>(
    `/api/v1/environments?projectId=${demo["projectId"]}`,
  );
  const production = environments.find(({ name }) => name === "production")?.id ?? 0;
  const { items } = await api.get<Schemas["FlagPage"]>(
    `/api/v1/flags?projectId=${demo["projectId"]}&search=discount`,
  );
  const ids = { ...demo, discountId: items[0]?.id ?? 0 };
  const documents = readFileSync(path.join(ROOT, "docs", "use", "dashboard.md"), "utf8");
  await page.emulateMedia({ reducedMotion: "reduce" });
  await signInAs("ADMIN");
  for (const { file, scheme, address, prepare } of PICTURES) {
    expect(documents).toContain(`](../${path.relative("docs", file)})`);
    await page.emulateMedia({ colorScheme: scheme });
    await open(page, address(ids, production));
    await prepare?.(page);
    // The code of the menus loads after the page.
    await expect(page.getByRole("button", { name: /^Your account/ })).toBeVisible();
    await expect(page.getByRole("button", { name: /^Project / })).toBeVisible();
    const picture = await page.screenshot({ animations: "disabled" });
    expect(picture.length, file).toBeLessThan(MAX_BYTES);
    mkdirSync(path.dirname(path.join(ROOT, file)), { recursive: true });
    writeFileSync(path.join(ROOT, file), picture);
  }
});
