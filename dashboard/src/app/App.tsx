import { MantineProvider } from "@mantine/core";
import { CurrentPage } from "./CurrentPage.tsx";
import type { MailLink } from "./mail-link.ts";

export function App({ opened }: { opened: MailLink | null }) {
  return (
    <MantineProvider defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
      <CurrentPage opened={opened} />
    </MantineProvider>
  );
}
