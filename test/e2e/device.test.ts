import { request, type Schemas } from "./support/api.ts";
import { join } from "./support/people.ts";
import { expect, expectAccessible, signIn, test } from "./support/test.ts";

const begin = (clientName: string) =>
  request<Schemas["DeviceLoginStart"]>("POST", "/api/v1/auth/device", { body: { clientName } });

test("a user approves a login on a device with fewer rights, after a look at what asks, and denies another one", async ({
  page,
  api,
}) => {
  const person = await join(api, "DEVELOPER");
  await signIn(page, person);
  const codes = await begin("flags on build-7");
  await page.goto(codes.verificationUriComplete);
  const code = page.getByRole("textbox", { name: "Code" });
  await expect(code).toHaveValue(codes.userCode);
  await expect(code).toBeFocused();
  await code.fill("BBBB-BBBB");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("This code is unknown")).toBeVisible();
  await code.fill(codes.userCode.toLowerCase().replace("-", ""));
  await page.getByRole("button", { name: "Continue" }).click();

  await expect(page.getByText("flags on build-7 asks for a token of your account")).toBeVisible();
  await expect(page.getByRole("alert")).toContainText(codes.userCode);
  await page.getByRole("checkbox", { name: "Write" }).uncheck();
  await page.getByLabel("Current password").fill(person.password);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Approved" })).toBeVisible();
  const { deviceCode } = codes;
  const taken = await request<Schemas["CreatedToken"]>("POST", "/api/v1/auth/device/token", {
    body: { deviceCode },
  });
  expect(taken.scopes).toEqual(["read"]);

  const other = await begin("stranger");
  await page.goto(other.verificationUriComplete);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Deny" }).click();
  await expect(page.getByText("stranger gets no token.")).toBeVisible();
});
