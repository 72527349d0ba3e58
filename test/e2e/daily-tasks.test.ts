import type { Api, Schemas } from "./support/api.ts";
import { follow } from "./support/pages.ts";
import { isIn } from "./support/strategies.ts";
import { expect, holdStream, test } from "./support/test.ts";
import { keyboardUser, type User } from "./support/user.ts";
import { listPath, newFlag, type World } from "./support/world.ts";

interface Scene {
  readonly api: Api;
  readonly world: World;
}

/**
 * A task of a working day, from the list of flags to the visible result. The tests of the parts show
 * other tasks with the keyboard alone: bulk.test.ts, flag-page.test.ts, flag-history.test.ts and
 * api-keys.test.ts.
 */
interface Task {
  readonly name: string;
  /** Creates what the task needs. */
  readonly prepare?: (scene: Scene) => Promise<unknown>;
  readonly run: (user: User, scene: Scene) => Promise<void>;
}

const setStrategy = async (
  { api, world }: Scene,
  flag: Schemas["Flag"],
  where: "development" | "production",
  { reason, ...strategy }: Partial<Schemas["SetStrategy"]> & { readonly reason?: string },
) => {
  const body = { environmentId: world[where].id, ...strategy };
  await api.put(`/api/v1/flags/${flag.id}/strategies`, body, reason);
};

const flagNamed = (
  { api, world }: Scene,
  name: string,
  fields: Partial<Schemas["CreateFlag"]> = {},
) => newFlag(api, world, { name, ...fields });

/** The palette searches all projects, so the name is different in each. */
const killSwitchOf = ({ world }: Scene) => `Payments ${world.project.name.slice(-6)}`;

const openFlag = async (user: User, name: string) => {
  await user.activate(user.page.getByRole("link", { name, exact: true }));
  await user.page.getByRole("heading", { level: 1, name }).waitFor();
};

const TASKS: readonly Task[] = [
  {
    name: "create a flag and turn it on in development",
    run: async (user) => {
      const { page } = user;
      await user.activate(page.getByRole("button", { name: "New flag" }));
      await user.write(page.getByRole("dialog").getByLabel("Name"), "New search");
      await user.press("Enter");
      await page.getByRole("heading", { level: 1, name: "New search" }).waitFor();
      await user.activate(page.getByRole("switch", { name: "New search in development" }));
      await expect(page.getByText("New search turned on in development")).toBeVisible();
    },
  },
  {
    name: "turn a flag on for a quarter of the users in Germany in production, with a reason",
    prepare: (scene) => flagNamed(scene, "Express"),
    run: async (user) => {
      const { page } = user;
      await openFlag(user, "Express");
      const form = page.getByRole("region", { name: "production", exact: true });
      await user.write(form.getByRole("textbox", { name: "Roll-out" }), "25");
      await user.activate(form.getByRole("button", { name: "Add constraint" }));
      const row = form.getByRole("group", { name: "Constraint 1" });
      await user.write(row.getByRole("combobox", { name: "Field" }), "country");
      await user.press("Escape");
      await user.write(row.getByRole("combobox", { name: "Values" }), "DE");
      await user.press("Enter");
      await user.activate(form.getByRole("button", { name: "Save" }));
      const review = page.getByRole("dialog", { name: "Save to production?" });
      await user.activate(review.getByRole("checkbox", { name: /^Also turn the flag on/ }));
      await user.write(review.getByRole("textbox", { name: /^Reason/ }), "Begin in Germany");
      await user.activate(review.getByRole("button", { name: "Save to production" }));
      await expect(page.getByText("Saved in production.")).toBeVisible();
    },
  },
  {
    name: "turn a flag off in production from any page",
    prepare: async (scene) => {
      const flag = await flagNamed(scene, killSwitchOf(scene), { flagType: "KILLSWITCH" });
      await setStrategy(scene, flag, "production", { enabled: true });
    },
    run: async (user, scene) => {
      const { page } = user;
      const name = killSwitchOf(scene);
      await user.press("ControlOrMeta+K");
      await expect(page.getByRole("dialog").getByRole("combobox")).toBeFocused();
      await user.type(`off ${name}`);
      const action = page.getByRole("option", { name: `Turn off ${name} in production` });
      await expect(action.first()).toHaveAttribute("aria-selected", "true");
      await user.press("Enter");
      await expect(
        page.getByRole("dialog").getByRole("button", { name: "Turn off" }),
      ).toBeFocused();
      await user.press("Enter");
      await expect(page.getByText(`${name} turned off in production`)).toBeVisible();
    },
  },
  {
    name: "find out why a user does not get a flag",
    prepare: async (scene) => {
      const { api, world } = scene;
      const [contextKey, contextType] = ["country", "string"] as const;
      const projectId = world.project.id;
      await api.post("/api/v1/contexts", { name: "Country", contextKey, contextType, projectId });
      const flag = await flagNamed(scene, "Only Germany");
      const constraints = [isIn(contextKey, "DE")];
      await setStrategy(scene, flag, "development", { enabled: true, constraints });
    },
    run: async (user) => {
      const { page } = user;
      await user.activate(page.getByRole("link", { name: "Playground" }));
      await user.write(page.getByRole("combobox", { name: "Country" }), "FR");
      await user.press("Escape");
      await expect(page.getByText("Not met: country is DE").first()).toBeVisible();
    },
  },
  {
    name: "save over a colleague's change after reading it",
    prepare: (scene) => flagNamed(scene, "Shared"),
    run: async (user, scene) => {
      const { page } = user;
      await openFlag(user, "Shared");
      const form = page.getByRole("region", { name: "production", exact: true });
      await user.write(form.getByRole("textbox", { name: "Roll-out" }), "40");
      const flags = `/api/v1/flags?projectId=${scene.world.project.id}&search=Shared`;
      const [flag] = (await scene.api.get<Schemas["FlagPage"]>(flags)).items;
      if (flag) await setStrategy(scene, flag, "production", { percentage: 60 });
      await user.activate(form.getByRole("button", { name: "Save" }));
      const review = page.getByRole("dialog", { name: "Save to production?" });
      await user.activate(review.getByRole("button", { name: "Save to production" }));
      await expect(form.getByRole("alert")).toContainText("60% of users");
      await user.activate(form.getByRole("button", { name: "Overwrite with my changes" }));
      await user.activate(review.getByRole("button", { name: "Save to production" }));
      await expect(page.getByText("Saved in production.")).toBeVisible();
    },
  },
  {
    name: "find out who turned a flag off, and why",
    prepare: async (scene) => {
      const flag = await flagNamed(scene, "Basket");
      await setStrategy(scene, flag, "production", { enabled: true });
      await setStrategy(scene, flag, "production", {
        enabled: false,
        reason: "Errors at checkout",
      });
    },
    run: async (user) => {
      const { page } = user;
      await openFlag(user, "Basket");
      await user.activate(page.getByRole("tab", { name: "History" }));
      const record = page.getByRole("listitem").filter({ hasText: "Errors at checkout" }).first();
      await expect(record).toContainText("admin");
    },
  },
];

// One test, so that the dashboard is loaded once.
test("a user with the keyboard alone can do the tasks of a working day", async ({
  page,
  api,
  world,
  openAs,
}) => {
  const scene = { api, world };
  for (const task of TASKS) await task.prepare?.(scene);
  // Without its event stream, the page learns of a colleague's change only when it saves.
  await holdStream(page);
  await openAs("ADMIN", listPath(world));
  for (const task of TASKS)
    await test.step(task.name, async () => {
      await follow(page, listPath(world));
      await page.getByRole("heading", { level: 1, name: "Flags", exact: true }).waitFor();
      await task.run(keyboardUser(page), scene);
    });
});
