import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./app/styles.css";
import { App } from "./app/App.tsx";
import { consumeMailLink } from "./app/mail-link.ts";
import { SignedInApp, SignInPage } from "./app/views.ts";
import { prepareForSessionEnd } from "./features/session/session-end.ts";
import { startTexts } from "./shared/i18n/i18n.ts";
import { initialLanguage, languageOf } from "./shared/i18n/language.ts";
import { readSession } from "./shared/session/session-store.ts";
import { loadFont } from "./shared/ui/font.ts";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root element");

/**
 * The mail link that the browser has opened, or null. It is read outside of any component, because
 * React may render a component twice, and reading the mail link removes its token from the URL.
 */
const opened = consumeMailLink();
const session = readSession();
prepareForSessionEnd();
// Without the font, the dashboard shows the fonts of the system.
loadFont().catch(() => {});

/**
 * Shows the dashboard or the sign-in form. The placeholder of index.html is shown until their code
 * has loaded. Not at the top level of this module, because that code imports this chunk.
 */
async function start(container: HTMLElement): Promise<void> {
  await startTexts(session ? languageOf(session.user.locale) : initialLanguage());
  // `RootPage` loads the code again and handles the error.
  if (!opened) await (session ? SignedInApp : SignInPage).preload().catch(() => {});
  createRoot(container).render(
    <StrictMode>
      <App opened={opened} />
    </StrictMode>,
  );
}

void start(root);
