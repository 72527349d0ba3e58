import { MantineProvider } from "@mantine/core";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "@fontsource-variable/inter/wght.css";
import "./app/styles.css";
import { consumeMailLink } from "./app/mail-link.ts";
import { RootPage } from "./app/RootPage.tsx";
import { consumeSignOnReturn, keepAuthorizationQuery } from "./app/sign-on-return.ts";
import { theme } from "./app/theme.ts";
import { prepareForSessionEnd } from "./features/session/session-end.ts";
import { switchLanguage } from "./shared/i18n/i18n.ts";
import { initialLanguage, languageOf } from "./shared/i18n/language.ts";
import { readSession } from "./shared/session/session-store.ts";

const container = document.getElementById("root");
if (!container) throw new Error("index.html has no #root element");

/**
 * The mail link that the browser has opened, or null. It is read outside of any component, because
 * React may render a component twice, and reading the mail link removes its token from the URL.
 */
const opened = consumeMailLink();
/** How the browser has come back from an identity provider, which replaces the URL. */
const returned = consumeSignOnReturn();
keepAuthorizationQuery();
const session = readSession();
prepareForSessionEnd();
await switchLanguage(session ? languageOf(session.user.locale) : initialLanguage());

createRoot(container).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <RootPage opened={opened} returned={returned} />
    </MantineProvider>
  </StrictMode>,
);
