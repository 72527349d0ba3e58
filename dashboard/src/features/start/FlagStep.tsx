import { Button, type InputWrapperProps, Stack, TextInput } from "@mantine/core";
import { isNotEmpty } from "@mantine/form";
import { useWrite } from "../../shared/api/request.ts";
import { conflictToFieldError } from "../../shared/api/conflict-to-field-error.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { FlagKeyInput } from "../../shared/flags/FlagKeyInput.tsx";
import { FLAG_KEY } from "../../shared/flags/suggest-key.ts";
import { useSuggestedKey } from "../../shared/flags/use-suggested-key.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";
import classes from "./Steps.module.css";
import { RoleHint } from "./RoleHint.tsx";

/** Places the description of an input below the input, so that the two inputs align. */
const DESCRIPTION_BELOW: NonNullable<InputWrapperProps["inputWrapperOrder"]> = [
  "label",
  "input",
  "description",
  "error",
];

export function FlagStep() {
  const { t } = useTranslation();
  return useCan("flag:write") ? <FlagForm /> : <RoleHint>{t("start.developerFlag")}</RoleHint>;
}

function FlagForm() {
  const { t } = useTranslation();
  const projectId = useProjectId();
  const { mutateAsync } = useWrite("post", "/api/v1/flags");
  const { form, pending, error, onSubmit } = useServerForm({
    form: {
      initialValues: { name: "", key: "" },
      validate: {
        name: isNotEmpty(t("common.required")),
        key: (key) => (FLAG_KEY.test(key) ? null : t("flagForms.keyRule")),
      },
    },
    submit: ({ name, key }) => {
      const body = { name: name.trim(), key, flagType: "RELEASE" as const, tags: [], projectId };
      return conflictToFieldError(mutateAsync({ body }), "key", t("flagForms.keyTaken"));
    },
  });
  const { onName, onKey } = useSuggestedKey((key) => form.setFieldValue("key", key));
  return (
    <form onSubmit={onSubmit} aria-busy={pending} noValidate>
      <Stack gap="sm" align="flex-start">
        {error !== undefined && <ErrorAlert error={error} />}
        <div className={classes.fields}>
          <TextInput
            className={classes.field}
            inputWrapperOrder={DESCRIPTION_BELOW}
            label={t("common.name")}
            placeholder={t("start.flagName")}
            maxLength={200}
            required
            {...form.getInputProps("name")}
            onChange={({ currentTarget: { value } }) => {
              form.setFieldValue("name", value);
              onName(value);
            }}
          />
          <FlagKeyInput
            className={classes.field}
            inputWrapperOrder={DESCRIPTION_BELOW}
            description={t("flagForms.keyHint")}
            {...form.getInputProps("key")}
            onChange={({ currentTarget }) => onKey(currentTarget.value)}
          />
        </div>
        <Button type="submit" loading={pending}>
          {t("flagForms.createFlag")}
        </Button>
      </Stack>
    </form>
  );
}
