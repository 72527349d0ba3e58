import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { isNotEmpty } from "@mantine/form";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCurrentSession } from "../../shared/session/current-session.tsx";
import { useChangeProfile } from "../../shared/session/use-change-profile.ts";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { UserAvatar } from "../../shared/ui/UserAvatar.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";
import classes from "./NameForm.module.css";

export function NameForm() {
  const { t } = useTranslation();
  const { done } = useNotify();
  const { user } = useCurrentSession();
  const { mutateAsync } = useChangeProfile();
  const { form, pending, error, onSubmit } = useServerForm({
    form: {
      initialValues: { name: user.name },
      validate: { name: isNotEmpty(t("common.required")) },
    },
    submit: async (fields) => {
      const { name } = await mutateAsync(fields);
      form.setInitialValues({ name });
      form.setValues({ name });
      done(t("common.saved"));
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate aria-busy={pending}>
      <Stack>
        <Group wrap="nowrap">
          <UserAvatar name={user.name} size="lg" />
          <div className={classes.who}>
            <Text fw={500}>{user.email}</Text>
            <Text size="sm" c="dimmed">
              {t(`users.roles.${user.role}`)}: {t(`users.roleMeans.${user.role}`)}
            </Text>
          </div>
        </Group>
        {error !== undefined && <ErrorAlert error={error} />}
        <TextInput
          label={t("common.name")}
          autoComplete="name"
          maxLength={200}
          required
          withAsterisk={false}
          {...form.getInputProps("name")}
        />
        <div>
          <Button type="submit" loading={pending} disabled={!form.isDirty()}>
            {t("common.save")}
          </Button>
        </div>
      </Stack>
    </form>
  );
}
