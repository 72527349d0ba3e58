import { useTranslation } from "react-i18next";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";

export function FlagPage() {
  const { t } = useTranslation();
  return <PageHeader title={t("shell.flags")} />;
}
