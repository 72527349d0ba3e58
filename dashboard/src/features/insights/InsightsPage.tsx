import { useTranslation } from "react-i18next";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";

export function InsightsPage() {
  const { t } = useTranslation();
  return <PageHeader title={t("shell.insights")} />;
}
