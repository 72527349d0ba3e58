import {
  Button,
  Text,
  Alert,
  Stack,
  Switch,
  type SwitchProps,
  type NumberInputProps,
} from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useWrite } from "../../shared/api/request.ts";
import { hasStatus } from "../../shared/api/api-error.ts";
import { Trans } from "../../shared/i18n/Trans.tsx";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCurrentSession } from "../../shared/session/current-session.tsx";
import { mfaQuery } from "../../shared/session/mfa-query.ts";
import { updateDeadline } from "../../shared/session/update-session.ts";
import { isPast } from "../../shared/time.ts";
import { LinkAnchor } from "../../shared/ui/links.tsx";
import { useConfirm } from "../../shared/ui/use-confirm.tsx";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { SettingsActions, SettingsSection } from "../../shared/ui/SettingsSection.tsx";
import { TimeAgo } from "../../shared/ui/TimeAgo.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";
import { HoursInput } from "./HoursInput.tsx";
import { isTimeout, type Settings, type SettingsFields } from "./settings-requests.ts";

interface Props {
  loaded: Settings;
  load: () => Promise<Settings>;
}

/** Starts from the version loaded first or saved last, so that a refetch overwrites no input. */
export function SettingsForm({ loaded, load }: Props) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const { done, failed } = useNotify();
  const { user } = useCurrentSession();
  const [edited, setEdited] = useState(loaded);
  const save = useWrite("put", "/api/v1/settings");
  const { form, pending, error, onSubmit } = useServerForm<SettingsFields>({
    form: {
      initialValues: fieldsOf(edited),
      validate: {
        sessionTimeoutHours: (hours) => (isTimeout(hours) ? null : t("settings.timeoutWrong")),
      },
    },
    submit: async (fields) => {
      if (fields.requireMfa && !edited.requireMfa) {
        const isConfirmed = await confirm({
          title: t("settings.turnOnTitle"),
          children: t("settings.turnOnText"),
          confirm: t("settings.turnOn"),
        });
        if (!isConfirmed) return;
      }
      const { requireMfa, sessionTimeoutHours } = fields;
      const body = { requireMfa, sessionTimeoutHours: Number(sessionTimeoutHours) };
      startFrom(await save.mutateAsync({ ifMatch: edited.version, body }));
      done(t("common.saved"));
      await updateDeadline(user.id);
    },
  });
  const startFrom = (settings: Settings) => {
    setEdited(settings);
    form.setInitialValues(fieldsOf(settings));
    form.setValues(fieldsOf(settings));
  };
  const hasConflict = hasStatus(error, 412);

  return (
    <form onSubmit={onSubmit} noValidate aria-busy={pending}>
      {error !== undefined && (
        <ErrorAlert error={error}>
          {hasConflict && (
            <div>
              <Button
                size="compact-sm"
                variant="default"
                mt="xs"
                onClick={() => void load().then(startFrom, failed)}
              >
                {t("settings.loadAgain")}
              </Button>
            </div>
          )}
        </ErrorAlert>
      )}
      <SettingsSection title={t("settings.mfa")} description={t("settings.mfaText")}>
        <RequireMfa
          saved={edited}
          isChecked={form.values.requireMfa}
          input={form.getInputProps("requireMfa", { type: "checkbox" })}
        />
      </SettingsSection>
      <SettingsSection title={t("settings.sessions")} description={t("settings.sessionsText")}>
        <SessionTimeout
          saved={edited}
          hours={form.values.sessionTimeoutHours}
          input={form.getInputProps("sessionTimeoutHours")}
        />
      </SettingsSection>
      <SettingsActions>
        <Button type="submit" loading={pending} disabled={!form.isDirty()}>
          {t("common.save")}
        </Button>
        {edited.updatedAt !== null && (
          <Text size="sm" c="dimmed">
            {t("settings.changed")} <TimeAgo at={edited.updatedAt} />
          </Text>
        )}
      </SettingsActions>
    </form>
  );
}

const fieldsOf = ({ requireMfa, sessionTimeoutHours }: Settings): SettingsFields => ({
  requireMfa,
  sessionTimeoutHours,
});

interface RequireMfaProps {
  saved: Settings;
  /** The state of the switch in the form. It may differ from the saved setting. */
  isChecked: boolean;
  input: SwitchProps;
}

function RequireMfa({ saved, isChecked, input }: RequireMfaProps) {
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

interface SessionTimeoutProps {
  saved: Settings;
  /** The hours in the input. They may differ from the saved setting. */
  hours: number | string;
  input: NumberInputProps;
}

function SessionTimeout({ saved, hours, input }: SessionTimeoutProps) {
  const { t } = useTranslation();
  const duration = useDuration(Number(hours));
  return (
    <Stack gap="xs">
      <HoursInput label={t("settings.timeout")} {...input} />
      {duration !== undefined && (
        <Text size="sm" c="dimmed">
          {t("settings.makes", { duration })}
        </Text>
      )}
      {Number(hours) > 0 && Number(hours) < saved.sessionTimeoutHours && (
        <Text size="sm" role="status">
          {t("settings.shorter")}
        </Text>
      )}
    </Stack>
  );
}

const HOURS_PER_DAY = 24;

/** Formats hours as `7 days and 12 hours`. Returns undefined below one day. */
function useDuration(hours: number): string | undefined {
  const { language } = useTranslation();
  const { list } = useFormat();
  if (!Number.isInteger(hours) || hours < HOURS_PER_DAY) return undefined;
  const amount = (unit: "day" | "hour", value: number) =>
    new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(value);
  const rest = hours % HOURS_PER_DAY;
  return list([
    amount("day", Math.floor(hours / HOURS_PER_DAY)),
    ...(rest > 0 ? [amount("hour", rest)] : []),
  ]);
}
