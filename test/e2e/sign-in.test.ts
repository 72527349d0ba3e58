import { openProvider } from "../process/support/openid-provider.ts";
import { Api, baseUrl, type Schemas } from "./support/api.ts";
import { linkMailedTo } from "./support/mail.ts";
import { join } from "./support/people.ts";
import { expect, expectAccessible, type Page, test } from "./support/test.ts";

const OLD = "battery-staple-horse";
const NEW = "staple-horse-battery";

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByRole("textbox", { name: "E-mail" }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

test("the sign-in page refuses a wrong password, says how long an account is locked, and then opens the requested page", async ({
  page,
  world,
  people,
}) => {
  await page.goto(`/projects/${world.project.id}/tags`);
  await expect(page).toHaveTitle("Sign in · Feature Flags");
  await page.emulateMedia({ colorScheme: "dark" });
  await expectAccessible(page);
  await signIn(page, people.VIEWER.email, "this is not it");
  await expect(page.getByRole("alert")).toContainText("the password is incorrect");
  await expect(page.getByText("Trace ID")).toHaveCount(0);
  await page.route("**/api/v1/auth/login", (route) =>
    route.fulfill({
      status: 429,
      headers: { "Retry-After": "120" },
      json: { code: "RATE_LIMIT_EXCEEDED", error: "Too many wrong passwords", traceId: "0af7" },
    }),
  );
  await signIn(page, people.VIEWER.email, "this is not it");
  await expect(page.getByRole("alert")).toContainText("Too many attempts. Try again in 2 minutes.");
  await page.unrouteAll();
  await signIn(page, people.VIEWER.email, people.VIEWER.password);
  await expect(page.getByRole("heading", { level: 1, name: "Tags" })).toBeVisible();
});

test("the dashboard stays recognised after sign-out, so wrong passwords of strangers do not lock the user out", async ({
  page,
  api,
}) => {
  const { email } = await join(api, "VIEWER");
  const account = page.getByRole("button", { name: /^Your account/ });
  await page.goto("/");
  await signIn(page, email, OLD);
  await account.click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  for (let n = 0; n < 10; n++)
    await page.request.post("/api/v1/auth/login", { data: { email, password: `wrong-${n}` } });
  const locked = await page.request.post("/api/v1/auth/login", { data: { email, password: OLD } });
  expect(locked.status()).toBe(429);
  await signIn(page, email, OLD);
  await expect(account).toBeVisible();
});

test("an invited user signs in at an OpenID provider, arrives on the requested page, confirms there to create a token without a password, and signs out; a stranger learns in German why not", async ({
  page,
  api,
  world,
}) => {
  const slug = `company-${crypto.randomUUID().slice(0, 8)}`;
  const callback = `${baseUrl()}/api/v1/auth/sign-on/${slug}/callback`;
  const { server, ...provider } = await openProvider(callback);
  const { id } = await api.post<Schemas["IdentityProvider"]>(
    "/api/v1/settings/identity-providers",
    {
      ...provider,
      slug,
      name: slug,
      type: "oidc",
      domains: ["example.com"],
    },
  );
  const email = `${slug}@example.com`;
  await api.post("/api/v1/users/invite", { email, role: "VIEWER", name: "Ann" });
  const enterAtProvider = async (login: string) => {
    await page.getByPlaceholder("Enter any login").fill(login);
    await page.getByPlaceholder("and password").fill("any");
    await page.getByRole("button", { name: "Sign-in" }).click();
  };
  const signOn = page.getByRole("button", { name: `Continue with ${slug}` });
  const consent = page.getByRole("button", { name: "Continue", exact: true });

  const path = `/projects/${world.project.id}/tags`;
  await page.goto(path);
  await signOn.click();
  await enterAtProvider(email);
  await consent.click();
  await expect(page.getByRole("heading", { level: 1, name: "Tags" })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe(path);

  await page.goto("/profile/tokens");
  await page.getByRole("button", { name: "New token" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: `Confirm with ${slug}` }).click();
  await enterAtProvider(email);
  await expect(page.getByRole("status").filter({ hasText: "You have confirmed" })).toBeVisible();
  await page.getByRole("button", { name: "New token" }).click();
  await dialog.getByRole("textbox", { name: "Name" }).fill("ci");
  await expect(dialog.getByLabel("Current password")).toHaveCount(0);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Create token" }).click();
  await expect(page.getByRole("dialog", { name: "ci created" })).toBeVisible();
  await dialog.getByRole("button", { name: "Copy", exact: true }).click();
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: /^Your account/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();

  // Ends the session at the provider, which would otherwise not ask who signs in.
  await page.context().clearCookies();
  await signOn.click();
  await enterAtProvider(`stranger-${email}`);
  await consent.click();
  await expect(page.getByRole("alert")).toBeVisible();
  await page.getByRole("button", { name: "Deutsch" }).click();
  await expect(page.getByRole("alert")).toContainText("gibt es keine Einladung");
  await api.delete(`/api/v1/settings/identity-providers/${id}`);
  server.close();
});

test("while passwords are turned off, the sign-in page hides the password behind a link, and a late sign-in begins again", async ({
  page,
}) => {
  await page.route("**/api/v1/auth/sign-on", (route) =>
    route.fulfill({
      headers: { "X-Password-Sign-In": "breakGlass" },
      json: [{ slug: "okta", name: "Okta", type: "oidc" }],
    }),
  );
  await page.route("**/api/v1/auth/sign-on/complete", (route) =>
    route.fulfill({ status: 401, json: { code: "UNAUTHORIZED", error: "The code is used" } }),
  );
  await page.goto("/sign-in/complete");
  await expect(page.getByRole("alert")).toHaveText(/took too long/);
  await expect(page.getByRole("button", { name: "Continue with Okta" })).toBeVisible();
  const password = page.getByLabel("Password", { exact: true });
  await expect(password).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Use an emergency password" }).click();
  await expect(password).toBeVisible();
});

test("the second factor of a user who comes from an identity provider is asked for on the requested page", async ({
  page,
}) => {
  await page.route("**/api/v1/auth/sign-on/complete", (route) =>
    route.fulfill({
      json: { mfaRequired: true, mfaToken: "a.b.c", secondFactors: ["totp"], returnTo: "/users" },
    }),
  );
  await page.goto("/sign-in/complete");
  await expect(page.getByRole("textbox", { name: "Code" })).toBeFocused();
  expect(new URL(page.url()).pathname).toBe("/users");
});

test("a user resets a forgotten password with the link in a mail", async ({ page, api }) => {
  const { email } = await join(api, "VIEWER");
  await page.goto("/");
  await page.getByRole("textbox", { name: "E-mail" }).fill(email);
  await page.getByRole("button", { name: "Forgot your password?" }).click();
  await expect(page.getByRole("textbox", { name: "E-mail" })).toHaveValue(email);
  await page.getByRole("button", { name: "Send link" }).click();
  await expect(page.getByRole("status")).toContainText(email);

  const link = await linkMailedTo(email, "/reset-password");
  await page.goto(`${link.pathname}${link.hash}`);
  await expect(page.getByText("Choose a new password")).toBeVisible();
  expect(new URL(page.url()).hash).toBe("");
  await expectAccessible(page);
  const password = page.getByLabel("New password");
  await password.fill(email);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("This password is not allowed")).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
  await password.fill(NEW);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("Password changed.")).toBeVisible();
  await signIn(page, email, NEW);
  await expect(page.getByRole("button", { name: /^Your account/ })).toBeVisible();
});

test("a user who accepts an invitation in German keeps German as the language", async ({
  page,
  api,
}) => {
  const email = `ann-${crypto.randomUUID().slice(0, 8)}@example.com`;
  await api.post("/api/v1/users/invite", { email, role: "VIEWER" });
  const { pathname, hash } = await linkMailedTo(email, "/accept-invite");
  await page.goto(`${pathname}${hash}`);
  await expect(page).toHaveTitle("Invitation · Feature Flags");
  await expect(page.getByText("admin@example.com invites you to join.")).toBeVisible();
  await expect(page.getByRole("definition")).toHaveText([email, "Viewer"]);
  await page.getByRole("button", { name: "Deutsch" }).click();
  await expect(page).toHaveTitle("Einladung · Feature Flags");
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
  await expectAccessible(page);
  await page.getByRole("textbox", { name: "Name" }).fill("Änne Beispiel");
  // The form shows its own texts, in the language of the page, and no bubble of the browser.
  await page.getByLabel("Passwort", { exact: true }).fill("kurz");
  await page.getByRole("button", { name: "Beitreten" }).click();
  await expect(page.getByText("Bitte mindestens 8 Zeichen eingeben.")).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
  await page.getByLabel("Passwort", { exact: true }).fill(OLD);
  await page.getByRole("button", { name: "Beitreten" }).click();
  await expect(page.getByRole("button", { name: /^Eigenes Konto: Änne Beispiel/ })).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name: "Projekte" })).toBeVisible();

  const joined = await Api.signIn({ email, password: OLD });
  await expect
    .poll(() => joined.get("/api/v1/auth/me"))
    .toMatchObject({ name: "Änne Beispiel", locale: "de", status: "ACTIVE" });
  await page.goto(`${pathname}${hash}`);
  await expect(page.getByRole("alert")).toContainText("Dieser Link funktioniert nicht");
  await expect(page.getByRole("button", { name: "Beitreten" })).toHaveCount(0);
});
