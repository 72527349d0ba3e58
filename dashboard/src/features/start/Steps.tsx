import { Button, Stack, Text, type InputWrapperProps, TextInput } from "@mantine/core";
import { isNotEmpty } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { KeyTypeChoice } from "../../shared/api-keys/KeyTypeChoice.tsx";
import { reasonHeader } from "../../shared/api/change-reason.ts";
import { conflictToFieldError } from "../../shared/api/reword-error.ts";
import { send, useWrite } from "../../shared/api/request.ts";
import type { Environment, Flag, ApiKey, Schemas } from "../../shared/api/types.ts";
import { environmentsQuery } from "../../shared/data/environments.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { FlagKeyInput } from "../../shared/flags/FlagKeyInput.tsx";
import { FLAG_KEY } from "../../shared/flags/suggest-key.ts";
import { useConfirmSwitch } from "../../shared/flags/use-flag-switch.tsx";
import { useSuggestedKey } from "../../shared/flags/use-suggested-key.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import { CopyText } from "../../shared/ui/CopyText.tsx";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { SecretField } from "../../shared/ui/SecretField.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";
import classes from "./Steps.module.css";

/**
 * The environments that the step creates, in the usual order of a release. The names are stored
 * data, so they are not translated.
 */
const WANTED = [
  { name: "development", production: false },
  { name: "production", production: true },
];

export function EnvironmentsStep() {
  const { t } = useTranslation();
  const projectId = useProjectId();
  const queryClient = useQueryClient();
  const canCreate = useCan("environment:write");
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      // Load the existing environments first, because an earlier attempt may have created one of
      // them.
      const existing = await queryClient.fetchQuery({
        ...environmentsQuery(projectId),
        staleTime: 0,
      });
      for (const wanted of WANTED) {
        if (existing.some(({ name }) => name === wanted.name)) continue;
        // oxlint-disable-next-line no-await-in-loop -- the environments must be created in this order
        await send("post", "/api/v1/environments", { body: { ...wanted, projectId } });
      }
    },
  });
  if (!canCreate) return <RoleHint>{t("start.adminEnvironments")}</RoleHint>;
  return (
    <Stack gap="sm" align="flex-start">
      {error && <ErrorAlert error={error} />}
      <Button onClick={() => mutate()} loading={isPending}>
        {t("start.createEnvironments")}
      </Button>
    </Stack>
  );
}

/** Replaces a step that the user's role does not allow, and says which role may do it. */
function RoleHint({ children }: { children: ReactNode }) {
  return <Text size="sm">{children}</Text>;
}

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

interface Props {
  environment: Environment;
  onCreated: (key: Schemas["CreatedApiKey"]) => void;
}

export function KeyStep({ environment, onCreated }: Props) {
  const { t } = useTranslation();
  const canCreate = useCan("api-key:write");
  const [keyType, setKeyType] = useState<ApiKey["keyType"]>("FRONTEND");
  const { mutate, isPending, error } = useWrite("post", "/api/v1/api-keys", {
    onSuccess: onCreated,
  });
  const environmentId = environment.id;
  const body = { name: t("start.keyName"), keyType, canWrite: false, environmentId };
  if (!canCreate) return <RoleHint>{t("start.adminKey")}</RoleHint>;
  return (
    <Stack gap="sm" align="flex-start">
      {error && <ErrorAlert error={error} />}
      <KeyTypeChoice label={t("start.whoAsks")} value={keyType} onChange={setKeyType} />
      <Button onClick={() => mutate({ body })} loading={isPending}>
        {t("start.createKey", { environment: environment.name })}
      </Button>
    </Stack>
  );
}

/** The secret of an API key that was just created, with a button that copies it. */
export function NewKey({ secret }: { secret: string }) {
  const { t } = useTranslation();
  return (
    <Stack gap="xs" mt="xs">
      <Text size="sm" c="dimmed">
        {t("apiKeys.onlyOnce")}
      </Text>
      <SecretField aria-label={t("apiKeys.key")} secret={secret}>
        <CopyText value={secret} />
      </SecretField>
    </Stack>
  );
}
