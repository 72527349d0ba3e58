import type { Api, Schemas } from "./support/api.ts";
import { expect, type Page, test } from "./support/test.ts";
import { keyboardUser, mouseUser, type User } from "./support/user.ts";
import { newFlag, newKey, type World } from "./support/world.ts";

interface Scene {
  readonly api: Api;
  readonly world: World;
}

/** A task of a working day, from the list of flags to the visible result. */
interface Task {
  readonly name: string;
  /** Creates what the task needs. */
  readonly prepare: (scene: Scene) => Promise<unknown>;
  readonly run: (user: User, scene: Scene) => Promise<void>;
}

const set = async (
  { api, world }: Scene,
  flag: Schemas["Flag"],
  where: "development" | "production",
  { reason, ...strategy }: Partial<Schemas["SetStrategy"]> & { readonly reason?: string },
) => {
  const body = { environmentId: world[where].id, ...strategy };
  await api.put(`/api/v1/flags/${flag.id}/strategies`, body, reason);
  return flag;
};

const flagNamed = ({ api, world }: Scene, name: string, fields: Partial<Schemas["CreateFlag"]> = {}) =>
  newFlag(api, world, { name, ...fields });

const openFlag = async ({ page, activate }: User, name: string) => {
  await activate(page.getByRole("link", { name, exact: true }));
  await page.getByRole("heading", { level: 1, name }).waitFor();
};

const TASKS: readonly Task[] = [
  {
    name: "create a flag and switch it on in development",
    prepare: async (scene) => await flagNamed(scene, "Old search"),
    run: async (user) => {
      const { page } = user;
      await user.activate(page.getByRole("button", { name: "New flag" }));
      await user.write(page.getByRole("dialog").getByLabel("Name"), "New search");
      await user.press("Enter");
      await page.getByRole("heading", { level: 1, name: "New search" }).waitFor();
      await user.activate(page.getByRole("switch", { name: /development/ }));
      await expect(page.getByText("“New search” is on in development.")).toBeVisible();
    },
  },
  {
    name: "give a quarter of the users in Germany a flag in production, with a reason",
    prepare: (scene) => flagNamed(scene, "Express"),
    run: async (user) => {
      const { page } = user;
      await openFlag(user, "Express");
      await user.activate(page.getByRole("link", { name: "production" }));
      const form = page.getByRole("region", { name: "production", exact: true });
      await user.activate(form.getByRole("switch", { name: /production/ }));
      await user.activate(page.getByRole("dialog").getByRole("button", { name: "Switch on" }));
      await expect(page.getByText("“Express” is on in production.")).toBeVisible();
      await user.write(form.getByRole("textbox", { name: "Roll-out" }), "25");
      await user.activate(form.getByRole("button", { name: "Add constraint" }));
      const row = form.getByRole("group", { name: "Constraint 1" });
      await user.write(row.getByRole("combobox", { name: "Field" }), "country");
      await user.press("Escape");
      await user.write(row.getByRole("combobox", { name: "Values" }), "DE");
      await user.press("Enter");
      await user.activate(form.getByRole("button", { name: "Save" }));
      const review = page.getByRole("dialog", { name: "Save to production?" });
      await user.write(review.getByRole("textbox", { name: /Reason/ }), "Begin in Germany");
      await user.activate(review.getByRole("button", { name: "Save to production" }));
      await expect(page.getByText("Saved in production.")).toBeVisible();
    },
  },
  {
    name: "turn a kill switch off in production",
    prepare: async (scene) =>
      set(scene, await flagNamed(scene, "Payments", { flagType: "KILLSWITCH" }), "production", {
        enabled: true,
      }),
    run: async (user) => {
      const { page } = user;
      await openFlag(user, "Payments");
      await user.activate(page.getByRole("button", { name: /in production$/ }));
      await user.activate(page.getByRole("dialog").getByRole("button", { name: "Switch off" }));
      await expect(page.getByText("“Payments” is off in production.")).toBeVisible();
    },
  },
  {
    name: "find out why a user does not get a flag",
    prepare: async (scene) => {
      const { api, world } = scene;
      await api.post("/api/v1/contexts", {
        name: "Country",
        contextKey: "country",
        contextType: "string",
        projectId: world.project.id,
      });
      const constraint = { field: "country", operator: "in" as const, values: ["DE"], contextType: "string" as const };
      await set(scene, await flagNamed(scene, "Germans"), "development", { enabled: true, constraints: [constraint] });
    },
    run: async (user) => {
      const { page } = user;
      await user.activate(page.getByRole("link", { name: "Try it" }));
      await user.write(page.getByRole("combobox", { name: "Country" }), "FR");
      await user.press("Escape");
      await expect(page.getByText("Not met: country is DE").first()).toBeVisible();
    },
  },
  {
    name: "copy a strategy from development to production",
    prepare: async (scene) =>
      set(scene, await flagNamed(scene, "Pricing"), "development", { enabled: true, percentage: 40 }),
    run: async (user) => {
      const { page } = user;
      await openFlag(user, "Pricing");
      await user.activate(page.getByRole("button", { name: "Copy to …" }));
      const copy = page.getByRole("dialog", { name: "Copy from development" });
      await user.activate(copy.getByRole("button", { name: "Copy to production" }));
      await expect(page.getByRole("link", { name: "production" })).toContainText("40%");
    },
  },
  {
    name: "save over a colleague's change after reading it",
    prepare: (scene) => flagNamed(scene, "Shared"),
    run: async (user, scene) => {
      const { page } = user;
      // Without its event stream, the page learns of the change only from the response to its save.
      await page.route("**/api/v1/projects/*/stream", () => undefined);
      await openFlag(user, "Shared");
      const form = page.getByRole("region", { name: "development", exact: true });
      await user.write(form.getByRole("textbox", { name: "Roll-out" }), "40");
      const { items } = await scene.api.get<{ items: Schemas["Flag"][] }>(
        `/api/v1/flags?projectId=${scene.world.project.id}`,
      );
      await set(scene, items[0]!, "development", { percentage: 60 });
      await user.activate(form.getByRole("button", { name: "Save" }));
      await expect(form.getByRole("alert")).toContainText("60% of everyone");
      await user.activate(form.getByRole("button", { name: "Keep mine and save over it" }));
      await expect(page.getByText("Saved in development.")).toBeVisible();
    },
  },
  {
    name: "find out who switched a flag off, when and why",
    prepare: async (scene) => {
      const flag = await flagNamed(scene, "Basket");
      await set(scene, flag, "production", { enabled: true });
      await set(scene, flag, "production", { enabled: false, reason: "Errors at checkout" });
    },
    run: async (user) => {
      const { page } = user;
      await openFlag(user, "Basket");
      const history = page.getByRole("region", { name: "History" });
      await expect(history.getByText("Errors at checkout")).toBeVisible();
      await expect(history.getByText("admin@example.com").first()).toBeVisible();
    },
  },
  {
    name: "archive the 69 flags that nobody has changed for a long time",
    prepare: async (scene) => {
      for (let n = 0; n < 2; n++) await flagNamed(scene, `Stale ${n}`);
    },
    run: async (user) => {
      const { page } = user;
      for (let n = 0; n < 2; n++) {
        await user.activate(page.getByRole("button", { name: `Actions for Stale ${n}` }).or(page.getByRole("row", { name: `Stale ${n}` }).getByRole("button", { name: /Stale|More|Actions/ })).first());
        await user.activate(page.getByRole("menuitem", { name: "Archive" }));
        await user.activate(page.getByRole("dialog").getByRole("button", { name: "Archive" }));
        await expect(page.getByRole("link", { name: `Stale ${n}`, exact: true })).toHaveCount(0);
      }
    },
  },
  {
    name: "create an API key and copy the snippet",
    prepare: (scene) => flagNamed(scene, "Any"),
    run: async (user) => {
      const { page } = user;
      await user.activate(page.getByRole("link", { name: "API keys" }));
      await user.activate(page.getByRole("button", { name: "New API key" }));
      const form = page.getByRole("dialog", { name: "New API key" });
      await user.write(form.getByRole("textbox", { name: "Name" }), "Backend");
      await user.activate(form.getByRole("button", { name: "Create key" }));
      const shown = page.getByRole("dialog", { name: /created/ });
      await user.activate(shown.getByRole("button", { name: "Copy", exact: true }));
      await user.activate(shown.getByRole("button", { name: "Done" }));
      await expect(page.getByRole("row", { name: "Backend" })).toBeVisible();
    },
  },
];

for (const [kind, userOf] of [
  ["mouse", mouseUser],
  ["keyboard alone", keyboardUser],
] as const)
  for (const task of TASKS)
    test(`with ${kind}: ${task.name}`, async ({ page, api, world, signInAs, consoleErrors }) => {
      const scene = { api, world };
      await task.prepare(scene);
      await signInAs("ADMIN");
      await page.goto(`/projects/${world.project.id}/flags`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      const user = userOf(page);
      const start = performance.now();
      await task.run(user, scene);
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      console.log(`  ${task.name}: ${user.effort.clicks} clicks, ${user.effort.keys} keys, ${seconds} s`);
      expect(consoleErrors).toEqual([]);
    });
