import { lazy } from "react";
import { loadCode } from "../shared/load-code.ts";

/** What a browser tab can show. The code of each loads when it is shown. */
export const SignedInApp = lazy(async () => ({
  default: (await loadCode(() => import("./SignedInApp.tsx"))).SignedInApp,
}));
export const SignInPage = lazy(async () => ({
  default: (await loadCode(() => import("../features/session/SignInPage.tsx"))).SignInPage,
}));
export const SignInAgain = lazy(async () => ({
  default: (await loadCode(() => import("../features/session/SignInAgain.tsx"))).SignInAgain,
}));
export const AcceptInvitePage = lazy(async () => ({
  default: (await loadCode(() => import("../features/session/AcceptInvitePage.tsx")))
    .AcceptInvitePage,
}));
export const ResetPasswordPage = lazy(async () => ({
  default: (await loadCode(() => import("../features/session/ResetPasswordPage.tsx")))
    .ResetPasswordPage,
}));
