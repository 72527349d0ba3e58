import { followAndLoad } from "./support/pages.ts";
import { expect, type Page, test } from "./support/test.ts";
import { flagPath, listPath, newFlag, newStaleFlags } from "./support/world.ts";

interface Box {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A script that lists the controls and table rows in the viewport that are outside of the toasts. */
const BOXES = `[...document.querySelectorAll(":is(main, aside) :is(a, button, input, textarea, tr, [role=switch])")]
  .map((node) => ({ name: node.textContent || node.ariaLabel || node.tagName, box: node.getBoundingClientRect() }))
  .filter(({ box }) => box.width > 1 && box.top < innerHeight && box.bottom > 0)
  .map(({ name, box: { x, y, width, height } }) => ({ name, x, y, width, height }))`;

/**
 * The names of the controls that a user can neither see nor press because a toast is above them.
 * What a scroll container clips is not covered by the toast beside the container.
 */
async function covered(page: Page): Promise<string[]> {
  const toast = await page.getByRole("alert").first().boundingBox();
  if (!toast) throw new Error("There is no toast");
  const scrolled = await page.getByRole("main").boundingBox();
  if (!scrolled) throw new Error("There is no page");
  const clipped = (box: Box) => ({
    ...box,
    height: Math.min(box.y + box.height, scrolled.y + scrolled.height) - box.y,
  });
  const boxes = (await page.evaluate<Box[]>(BOXES)).map(clipped);
  expect(boxes.length).toBeGreaterThan(3);
  return boxes.filter((box) => overlap(box, toast)).map(({ name }) => name);
}

const overlap = (a: Omit<Box, "name">, b: Omit<Box, "name">): boolean =>
  a.height > 0 &&
  a.x < b.x + b.width &&
  b.x < a.x + a.width &&
  a.y < b.y + b.height &&
  b.y < a.y + a.height;

for (const width of [1440, 390])
  test(`a toast covers no control and no row on a screen that is ${width} px wide`, async ({
    page,
    api,
    world,
    openAs,
  }) => {
    const first = await newFlag(api, world, { name: "Feature 10" });
    await newStaleFlags(world, 13);
    await page.setViewportSize({ width, height: 844 });
    await openAs("DEVELOPER", listPath(world));
    // A card on a phone has the switch of production; its menu has the others.
    if (width === 390) {
      await page.getByRole("button", { name: "Actions for Old 05" }).click();
      await page.getByRole("menuitem", { name: "Turn on in development" }).click();
    } else await page.getByRole("switch", { name: "Old 05 in development" }).press("Space");
    await page.getByText("Old 05 turned on in development").hover();
    expect(await covered(page)).toEqual([]);

    await page.getByRole("alert").getByRole("button", { name: "Close" }).click();
    await expect(page.getByRole("alert")).toHaveCount(0);
    await followAndLoad(page, flagPath(world, first, world.development));
    await page.getByRole("switch").first().press("Space");
    // A toast stays while the mouse is above it.
    await page.getByText("Feature 10 turned on in development").hover();
    await page.getByRole("textbox", { name: "Roll-out" }).fill("40");
    await expect(page.getByText("get a different value")).toBeVisible();
    await expect(page.getByRole("button", { name: "Save" })).toBeInViewport({ ratio: 1 });
    expect(await covered(page)).toEqual([]);
    await page.getByRole("button", { name: "Save" }).click();
    const saved = page.getByRole("alert").filter({ hasText: "Saved in development." });
    await saved.getByRole("button", { name: "Undo" }).click();
    await expect(page.getByText("As before in development.")).toBeVisible();
    await expect(page.getByRole("textbox", { name: "Roll-out" })).toHaveValue("100%");
  });
