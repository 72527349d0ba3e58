import { Alert } from "@mantine/core";
import { useNetwork } from "@mantine/hooks";
import { useTranslation } from "../shared/i18n/use-translation.ts";

export function OfflineNotice() {
  const { t } = useTranslation();
  const { online } = useNetwork();
  if (online) return null;
  return (
    <Alert color="yellow" mb="lg" role="status">
      {t("errors.offline")}
    </Alert>
  );
}
