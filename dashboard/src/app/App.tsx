import { MantineProvider } from "@mantine/core";
import { RootPage } from "./RootPage.tsx";
import type { MailLink } from "./mail-link.ts";
import { theme } from "./theme.ts";

export function App({ opened }: { opened: MailLink | null }) {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <RootPage opened={opened} />
    </MantineProvider>
  );
}
