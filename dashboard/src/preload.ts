import { earlyPaths } from "./app/early-paths.ts";
import { isMailLink } from "./app/mail-link.ts";
import { PAGES } from "./app/pages.ts";
import { fetchTexts } from "./shared/i18n/catalogues.ts";
import { initialLanguage, languageOf } from "./shared/i18n/language.ts";
import { sendEarly } from "./shared/api/early-requests.ts";
import { readSession } from "./shared/session/session-store.ts";

/**
 * A small script beside `main.tsx`. It starts the downloads that would otherwise start only after
 * the packages of `main.tsx` have loaded: the texts and, if somebody is signed in, the dashboard, the
 * page that opens and the data of the list of flags. The code that needs a file or a response asks
 * for it again and handles the errors.
 */
const isMail = isMailLink(location.pathname);
const session = isMail ? null : readSession();
const language = session ? languageOf(session.user.locale) : initialLanguage();
const path = location.pathname.replaceAll(/\/\d+(?=\/|$)/g, "/$");
const page = new Map<string, () => Promise<unknown>>(Object.entries(PAGES)).get(path);

if (session) sendEarly(earlyPaths(location), session.accessToken);
void Promise.allSettled([
  fetchTexts("base", language),
  ...(session
    ? [fetchTexts("list", language), import("./app/SignedInApp.tsx")]
    : [fetchTexts("signedOut", language)]),
  ...(session || isMail ? [] : [import("./features/session/SignInPage.tsx")]),
  ...(session && page
    ? [page(), fetchTexts("pages", language), import("./shared/ui/controls.css")]
    : []),
]);
