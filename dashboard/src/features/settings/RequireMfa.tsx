import { Alert, Stack, Switch, type SwitchProps, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Trans } from "../../shared/i18n/Trans.tsx";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { isPast } from "../../shared/time.ts";
import { mfaQuery } from "../../shared/session/mfa-query.ts";
import { LinkAnchor } from "../../shared/ui/links.tsx";
import type { Settings } from "./settings-requests.ts";

interface Props {
  saved: Settings;
  /** The state of the switch in the form. It may differ from the saved setting. */
  isChecked: boolean;
  input: SwitchProps;
}

export function RequireMfa({ saved, isChecked, input }: Props) {
  const { t } = useTranslation();
  const { data: ownMfa } = useQuery(mfaQuery);
  return (
    <Stack gap="sm">
      <Switch
        label={t("settings.requireMfa")}
        description={t("settings.requireMfaHint")}
        {...input}
      />
      {isChecked && saved.mfaEnrollmentDeadline !== null && (
        <Deadline deadline={saved.mfaEnrollmentDeadline} />
      )}
      {!isChecked && saved.requireMfa && (
        <Alert color="yellow" role="status">
          {t("settings.turnOff")}
        </Alert>
      )}
      {isChecked && ownMfa?.enabled === false && (
        <Alert color="yellow" role="status">
          <Trans
            i18nKey="settings.ownMissing"
            components={{
              profile: <LinkAnchor inherit c="inherit" underline="always" to="/profile/security" />,
            }}
          />
        </Alert>
      )}
    </Stack>
  );
}

function Deadline({ deadline }: { deadline: string }) {
  const { t } = useTranslation();
  const { dateTime, relative } = useFormat();
  const isOver = isPast(deadline);
  return (
    <Text size="sm">
      {t(isOver ? "settings.over" : "settings.until", {
        date: dateTime(deadline),
        when: relative(deadline),
      })}
    </Text>
  );
}
