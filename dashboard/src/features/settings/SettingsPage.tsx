import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { SettingsForm } from "./SettingsForm.tsx";
import { settingsQuery } from "./settings-requests.ts";

export function SettingsPage() {
  const { t } = useTranslation();
  const settings = useQuery(settingsQuery);
  return (
    <>
      <PageHeader title={t("shell.settings")} description={t("settings.intro")} />
      <QueryView query={settings}>
        {(loaded) => (
          <SettingsForm
            loaded={loaded}
            load={async () => (await settings.refetch({ throwOnError: true })).data ?? loaded}
          />
        )}
      </QueryView>
    </>
  );
}
