import { Button, Text } from "@mantine/core";
import { useState } from "react";
import { useWrite } from "../../shared/api/request.ts";
import { hasStatus } from "../../shared/api/api-error.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCurrentSession } from "../../shared/session/current-session.tsx";
import { updateDeadline } from "../../shared/session/update-session.ts";
import { useConfirm } from "../../shared/ui/use-confirm.tsx";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { SettingsActions, SettingsSection } from "../../shared/ui/SettingsSection.tsx";
import { TimeAgo } from "../../shared/ui/TimeAgo.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";
import { RequireMfa } from "./RequireMfa.tsx";
import { SessionTimeout } from "./SessionTimeout.tsx";
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
