import { Button, Stack } from "@mantine/core";
import { useWrite } from "../../shared/api/request.ts";
import { reasonHeader } from "../../shared/api/change-reason.ts";
import type { Environment, Flag } from "../../shared/api/types.ts";
import { useConfirmSwitch } from "../../shared/flags/use-flag-switch.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { RoleHint } from "./RoleHint.tsx";

/**
 * The default strategy, which a flag has until its first save. The confirmation for production
 * describes it.
 */
const DEFAULT_STRATEGY = { exactPercentage: 100, constraints: [], segmentIds: [], rules: [] };

export function SwitchStep({ flag, environment }: { flag: Flag; environment: Environment }) {
  const { t } = useTranslation();
  const canSwitch = useCan("strategy:write");
  const confirm = useConfirmSwitch();
  const { mutate, isPending, error } = useWrite("put", "/api/v1/flags/{flagId}/strategies");
  const switchOn = async () => {
    const change = { flag, environment, strategy: { ...DEFAULT_STRATEGY, enabled: true } };
    const confirmed = await confirm(change);
    if (confirmed)
      mutate({
        path: { flagId: flag.id },
        header: reasonHeader(confirmed.reason),
        body: { environmentId: environment.id, enabled: true },
      });
  };
  if (!canSwitch) return <RoleHint>{t("start.developerSwitch")}</RoleHint>;
  return (
    <Stack gap="sm" align="flex-start">
      {error && <ErrorAlert error={error} />}
      <Button loading={isPending} onClick={() => void switchOn()}>
        {t("start.switchOn", { flag: flag.name, environment: environment.name })}
      </Button>
    </Stack>
  );
}
