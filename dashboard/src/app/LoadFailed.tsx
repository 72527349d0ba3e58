import { Stack, Title } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { useTranslation } from "../shared/i18n/use-translation.ts";
import { ErrorAlert } from "../shared/ui/ErrorAlert.tsx";

const reload = (): void => location.reload();

/** Shown if the dashboard's code does not load. Reloads the tab when the network is back. */
export function LoadFailed({ error }: { error: unknown }) {
  const { t } = useTranslation();
  useWindowEvent("online", reload);
  return (
    <Stack component="main" maw="34rem" mx="auto" p="xl">
      <Title order={1} size="h2">
        {t("errors.pageFailed")}
      </Title>
      <ErrorAlert error={error} onRetry={reload} />
    </Stack>
  );
}
