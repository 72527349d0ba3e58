import { loadTexts } from "../shared/i18n/i18n.ts";
import { lazyView } from "./lazy-view.tsx";

/** What a browser tab can show. The code of each is separate. */
export const SignedInApp = lazyView(async () => {
  const [loaded] = await Promise.all([import("./SignedInApp.tsx"), loadTexts("list")]);
  return loaded.SignedInApp;
});
export const SignInPage = lazyView(
  async () => (await import("../features/session/SignInPage.tsx")).SignInPage,
);
export const SignInAgain = lazyView(
  async () => (await import("../features/session/SignInAgain.tsx")).SignInAgain,
);
export const AcceptInvitePage = lazyView(
  async () => (await import("../features/session/AcceptInvitePage.tsx")).AcceptInvitePage,
);
export const ResetPasswordPage = lazyView(
  async () => (await import("../features/session/ResetPasswordPage.tsx")).ResetPasswordPage,
);
