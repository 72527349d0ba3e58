import { MantineProvider } from "@mantine/core";
import type { i18n as I18n } from "i18next";
import { I18nextProvider } from "react-i18next";
import { RootPage } from "./RootPage.tsx";
import type { MailLink } from "./mail-link.ts";
import { theme } from "./theme.ts";

export function App({ opened, i18n }: { opened: MailLink | null; i18n: I18n }) {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <I18nextProvider i18n={i18n}>
        <RootPage opened={opened} />
      </I18nextProvider>
    </MantineProvider>
  );
}
