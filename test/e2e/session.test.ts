import { Secret, TOTP } from "otpauth";
import { Api, type Schemas } from "./support/api.ts";
import { join } from "./support/people.ts";
import { expect, expectAccessible, type Page, signIn, test } from "./support/test.ts";

const KEY = "feature-flags.session";

/**
 * Invalidates tokens in the dashboard's localStorage: the access token alone, as if it had expired,
 * or both tokens, as if the session had ended.
 */
async function invalidateTokens(
  page: Page,
  ...tokens: ("accessToken" | "refreshToken")[]
): Promise<void> {
  // Waits until no request is running, because a running request could use the invalid tokens.
  await page.waitForLoadState("networkidle");
  await page.evaluate(
    ([key, names]) => {
      const session = JSON.parse(localStorage.getItem(key) ?? "{}");
      for (const name of names) session[name] = "spoiled";
      localStorage.setItem(key, JSON.stringify(session));
    },
    [KEY, tokens] as const,
  );
}

test.beforeEach(async ({ page }) => {
  // An open event stream would keep the network busy for ever.
  await page.route("**/api/v1/projects/*/stream", (route) => route.abort());
});

const endedDialog = (page: Page) =>
  page.getByRole("alertdialog", { name: "Your session has ended" });

test("a dialog keeps its input when the session ends and the user signs in again", async ({
  page,
  openAs,
  people,
}) => {
  const email = `ann-${crypto.randomUUID().slice(0, 8)}@example.com`;
  await openAs("ADMIN", "/users");
  await page.getByRole("button", { name: "Invite user" }).click();
  const field = page.getByRole("textbox", { name: "E-mail" });
  await field.fill(email);
  await invalidateTokens(page, "accessToken", "refreshToken");
  await page.getByRole("button", { name: "Send invitation" }).click();

  await expect(endedDialog(page)).toBeVisible();
  const password = endedDialog(page).getByLabel("Password", { exact: true });
  await expect(password).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+K");
  await password.fill(people.ADMIN.password);
  await password.press("Enter");

  await expect(endedDialog(page)).toBeHidden();
  await expect(field).toHaveValue(email);
  const send = page.getByRole("button", { name: "Send invitation" });
  await expect(send).toBeFocused();
  await send.press("Enter");
  await expect(page.getByText(`Invitation sent to ${email}`)).toBeVisible();
});

test("after the data of the site is deleted, a dialog asks the user to sign in again, and the page keeps its input", async ({
  page,
  openAs,
  people,
}) => {
  await openAs("ADMIN", "/users");
  await page.getByRole("button", { name: "Invite user" }).click();
  const field = page.getByRole("textbox", { name: "E-mail" });
  await field.fill("ann@example.com");
  await page.evaluate("localStorage.clear()");
  await page.getByRole("button", { name: "Send invitation" }).click();
  const password = endedDialog(page).getByLabel("Password", { exact: true });
  await password.fill(people.ADMIN.password);
  await password.press("Enter");
  await expect(endedDialog(page)).toBeHidden();
  await expect(field).toHaveValue("ann@example.com");
});

test("after the session has ended, the sign-in dialog asks for the second factor and the page keeps its input", async ({
  page,
  api,
}) => {
  const person = await join(api, "VIEWER");
  const own = await signIn(page, person);
  const { secret } = await own.post<Schemas["MfaEnrolment"]>("/api/v1/auth/mfa/enroll", {
    currentPassword: person.password,
  });
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  await own.post("/api/v1/auth/mfa/activate", { code: totp.generate() });
  await page.goto("/profile");
  const name = page.getByRole("textbox", { name: "Name" });
  await name.fill("Half typed");
  await invalidateTokens(page, "accessToken", "refreshToken");
  await page.getByRole("button", { name: "Save" }).click();
  await endedDialog(page).getByLabel("Password", { exact: true }).fill(person.password);
  await page.keyboard.press("Enter");
  // The service also accepts the TOTP code of the next 30 seconds. The current code is used up.
  await page
    .getByRole("textbox", { name: "Code" })
    .fill(totp.generate({ timestamp: Date.now() + 30_000 }));
  await page.keyboard.press("Enter");
  await expect(endedDialog(page)).toBeHidden();
  await expect(name).toHaveValue("Half typed");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Your account: Half typed/ })).toBeVisible();
});

test("the dashboard opens its home page when another user signs in after the session has ended", async ({
  page,
  world,
  api,
  openAs,
}) => {
  const other = await join(api, "VIEWER");
  await openAs("DEVELOPER", `/projects/${world.project.id}/flags?search=secret`);
  await expect(page.getByRole("heading", { level: 1, name: "Flags" })).toBeVisible();
  await invalidateTokens(page, "accessToken", "refreshToken");
  await page.getByRole("link", { name: "API keys" }).click();
  await endedDialog(page).getByRole("button", { name: "Sign in as someone else" }).click();
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("textbox", { name: "E-mail" })).toHaveValue("");
  await page.getByRole("textbox", { name: "E-mail" }).fill(other.email);
  await page.getByLabel("Password", { exact: true }).fill(other.password);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: /^Your account: viewer/ })).toBeVisible();
  await expect(page).not.toHaveURL(/secret|api-keys/);
});

test("two tabs renew the session once when their access token expires, and a sign-out ends the session in both", async ({
  page,
  context,
  world,
  people,
}) => {
  await signIn(page, people.DEVELOPER);
  await page.goto(`/projects/${world.project.id}/tags`);
  const tab = await context.newPage();
  await tab.goto(`/projects/${world.project.id}/tags`);
  const tabs = [page, tab];
  for (const each of tabs)
    await expect(each.getByRole("heading", { level: 1, name: "Tags" })).toBeVisible();

  const renewals: string[] = [];
  for (const each of tabs)
    each.on("request", (request) => {
      if (request.url().endsWith("/api/v1/auth/refresh")) renewals.push(request.url());
    });
  await invalidateTokens(page, "accessToken");
  const listed = (response: { url(): string; ok(): boolean }) =>
    response.url().includes("/api/v1/integrations") && response.ok();
  await Promise.all(
    tabs.map(async (each) => {
      const answered = each.waitForResponse(listed);
      await each.getByRole("link", { name: "Integrations" }).click();
      await answered;
    }),
  );
  for (const each of tabs) await expect(endedDialog(each)).toBeHidden();
  expect(renewals).toHaveLength(1);

  const stored = await page.evaluate<string>(`localStorage.getItem("${KEY}")`);
  const { refreshToken } = JSON.parse(stored) as { readonly refreshToken: string };
  await page.getByRole("button", { name: /^Your account/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  for (const each of tabs) {
    await expect(each.getByText("Sign in to your account")).toBeVisible();
    await expect(each).toHaveURL("/");
  }
  const again = await page.request.post("/api/v1/auth/refresh", { data: { refreshToken } });
  expect(again.status()).toBe(401);
});

test("a request that was rejected is not repeated as the user who signs in in another tab meanwhile", async ({
  page,
  api,
  openAs,
}) => {
  const { session } = await Api.signIn(await join(api, "VIEWER"));
  const { token: accessToken, refreshToken, user } = session;
  await openAs("DEVELOPER", "/profile");
  let requests = 0;
  await page.route("**/api/v1/auth/me", async (route) => {
    if (route.request().method() !== "PUT") return route.continue();
    requests += 1;
    if (requests > 1) return route.continue();
    // Unlike a write of another tab, this write sends the page no event, as if the event were late.
    await page.evaluate(([key, stored]) => localStorage.setItem(key, stored), [
      KEY,
      JSON.stringify({ accessToken, refreshToken, user }),
    ] as const);
    const json = { error: "A valid token or key is required", code: "UNAUTHORIZED", traceId: "0" };
    return route.fulfill({ status: 401, json });
  });
  await page.getByRole("textbox", { name: "Name" }).fill("Not for the other user");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("You were signed out before this was saved.")).toBeVisible();
  expect(requests).toBe(1);
});
