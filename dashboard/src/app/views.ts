import type { TextPart } from "../shared/i18n/catalogues.ts";
import { loadTexts } from "../shared/i18n/i18n.ts";
import { lazyView } from "./lazy-view.tsx";

/** Loads code together with the texts that it shows. */
async function withTexts<T>(part: TextPart, code: Promise<T>): Promise<T> {
  const [loaded] = await Promise.all([code, loadTexts(part)]);
  return loaded;
}

/** What a browser tab can show. The code of each is separate. */
export const SignedInApp = lazyView(
  async () => (await withTexts("list", import("./SignedInApp.tsx"))).SignedInApp,
);
export const SignInPage = lazyView(
  async () =>
    (await withTexts("signedOut", import("../features/session/SignInPage.tsx"))).SignInPage,
);
export const SignInAgain = lazyView(
  async () =>
    (await withTexts("signedOut", import("../features/session/SignInAgain.tsx"))).SignInAgain,
);
export const AcceptInvitePage = lazyView(
  async () =>
    (await withTexts("signedOut", import("../features/session/AcceptInvitePage.tsx")))
      .AcceptInvitePage,
);
export const ResetPasswordPage = lazyView(
  async () =>
    (await withTexts("signedOut", import("../features/session/ResetPasswordPage.tsx")))
      .ResetPasswordPage,
);
