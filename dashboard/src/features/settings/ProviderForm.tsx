import { Alert, Checkbox, Select, Switch, TextInput } from "@mantine/core";
import { isNotEmpty } from "@mantine/form";
import { useState } from "react";
import { ApiError } from "../../shared/api/api-error.ts";
import { conflictToFieldError } from "../../shared/api/reword-error.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useRows } from "../../shared/rows/use-rows.ts";
import { FormActions } from "../../shared/ui/FormActions.tsx";
import { NameInput } from "../../shared/ui/NameInput.tsx";
import { CopyText } from "../../shared/ui/CopyText.tsx";
import { SecretField } from "../../shared/ui/SecretField.tsx";
import { ServerForm } from "../../shared/ui/ServerForm.tsx";
import { useConfirm } from "../../shared/ui/use-confirm.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";
import { isTimeout } from "./settings-requests.ts";
import { GroupRoles } from "./GroupRoles.tsx";
import { hasExample, PRESET_NAMES, type PresetName, presetOf, PRESETS } from "./presets.ts";
import { PolicyFields } from "./PolicyFields.tsx";
import {
  type GroupRow,
  isDomain,
  isSlug,
  type Provider,
  type ProviderFields,
  urlsOf,
} from "./provider-fields.ts";

interface Submitted {
  readonly fields: ProviderFields;
  readonly groups: readonly GroupRow[];
  /** Whether the service asks the provider for its configuration before it saves it. */
  readonly check: boolean;
}

interface Props {
  /** The provider before the change. Undefined for a new provider. */
  saved?: Provider;
  initialValues: ProviderFields;
  initialGroups: () => GroupRow[];
  confirm: string;
  submit: (submitted: Submitted) => Promise<unknown>;
  onCancel: () => void;
}

export function ProviderForm(props: Props) {
  const { saved, initialValues, initialGroups, confirm, submit, onCancel } = props;
  const { t } = useTranslation();
  const confirmUnchecked = useConfirm();
  const [preset, setPreset] = useState<PresetName>(saved ? presetOf(saved) : "google");
  const roles = useRows("roles", initialGroups);
  const required = isNotEmpty(t("common.required"));
  const { form, pending, error, onSubmit } = useServerForm<ProviderFields>({
    form: {
      initialValues,
      validate: {
        name: required,
        slug: (slug) => (isSlug(slug.trim()) ? null : t("identityProviders.slugWrong")),
        issuer: (issuer, { type }) => {
          if (type === "github") return null;
          if (issuer.trim() === "") return t("common.required");
          return hasExample(issuer) ? t("identityProviders.issuerExample") : null;
        },
        clientId: required,
        domains: (domains) => (domains.every(isDomain) ? null : t("identityProviders.domainWrong")),
        groupClaim: (claim, { type }) =>
          type !== "github" && claim.trim() === "" && roles.rows.length > 0
            ? t("identityProviders.claimMissing")
            : null,
        sessionHours: (hours) => (isTimeout(hours) ? null : t("settings.timeoutWrong")),
      },
    },
    submit: (fields) => {
      const checked = roles.rows.map((row): GroupRow => {
        const errors = row.group.trim() === "" ? { group: t("common.required") } : {};
        return { id: row.id, group: row.group, role: row.role, errors };
      });
      const save = async (): Promise<unknown> => {
        try {
          return await submit({ fields, groups: checked, check: true });
        } catch (thrown) {
          if (!(thrown instanceof ApiError) || thrown.problem !== "provider") throw thrown;
          const isConfirmed = await confirmUnchecked({
            title: t("identityProviders.saveUnchecked"),
            children: t("identityProviders.saveUncheckedText", { cause: thrown.message }),
            confirm: t("identityProviders.saveUncheckedConfirm"),
          });
          if (!isConfirmed) throw thrown;
          return await submit({ fields, groups: checked, check: false });
        }
      };
      return roles.submit(checked, () =>
        conflictToFieldError(toFormFieldErrors(save()), "slug", t("identityProviders.slugInUse")),
      );
    },
  });
  const { type, slug } = form.values;
  const urls = urlsOf(saved ?? { type, slug: slug.trim() });
  const choose = (name: string | null) => {
    const chosen = PRESET_NAMES.find((known) => known === name);
    if (chosen === undefined) return;
    setPreset(chosen);
    form.setValues(PRESETS[chosen]);
    form.clearErrors();
  };
  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      {!saved && (
        <Select
          label={t("identityProviders.preset")}
          data={PRESET_NAMES.map((value) => ({
            value,
            label: t(`identityProviders.presets.${value}`),
          }))}
          value={preset}
          onChange={choose}
          allowDeselect={false}
          data-autofocus
        />
      )}
      <Alert variant="light" role="note">
        {t(`identityProviders.where.${preset}`)}
      </Alert>
      <NameInput description={t("identityProviders.nameHint")} {...form.getInputProps("name")} />
      {!saved && (
        <TextInput
          label={t("identityProviders.slug")}
          description={t("identityProviders.slugHint")}
          maxLength={64}
          required
          {...form.getInputProps("slug")}
        />
      )}
      {urls && (
        <SecretField label={t("identityProviders.callback")} secret={urls.callback}>
          <CopyText value={urls.callback} />
        </SecretField>
      )}
      {urls?.logout !== undefined && (
        <SecretField
          label={t("identityProviders.logout")}
          description={t("identityProviders.logoutHint")}
          secret={urls.logout}
        >
          <CopyText value={urls.logout} label={t("identityProviders.copyLogout")} />
        </SecretField>
      )}
      {type !== "github" && (
        <TextInput
          type="url"
          label={t(type === "access" ? "identityProviders.teamDomain" : "identityProviders.issuer")}
          description={saved && t("identityProviders.issuerHint")}
          maxLength={500}
          required
          {...form.getInputProps("issuer")}
        />
      )}
      <TextInput
        label={t(type === "access" ? "identityProviders.aud" : "identityProviders.clientId")}
        maxLength={500}
        autoComplete="off"
        required
        {...form.getInputProps("clientId")}
      />
      {type !== "access" && (
        <TextInput
          type="password"
          label={t("identityProviders.secret")}
          description={t(
            saved?.hasSecret ? "identityProviders.secretStays" : "identityProviders.secretHint",
          )}
          maxLength={2000}
          autoComplete="new-password"
          disabled={form.values.removesSecret}
          {...form.getInputProps("clientSecret")}
        />
      )}
      {type !== "access" && saved?.hasSecret && (
        <Checkbox
          label={t("identityProviders.removeSecret")}
          {...form.getInputProps("removesSecret", { type: "checkbox" })}
        />
      )}
      <PolicyFields form={form}>
        <GroupRoles
          rows={roles.rows}
          onChange={roles.setRows}
          failures={roles.failures}
          example={type === "github" ? "acme/developers" : "flag-admins"}
        />
      </PolicyFields>
      <Switch
        label={t("identityProviders.enabled")}
        description={t("identityProviders.enabledHint")}
        {...form.getInputProps("enabled", { type: "checkbox" })}
      />
      <FormActions onCancel={onCancel} pending={pending} submit={confirm} />
    </ServerForm>
  );
}

/** The service names the domain that is wrong, such as `domains.0`. The form has one input for all. */
async function toFormFieldErrors<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const details = error.details.map(({ field, message }) => ({
      field: field.startsWith("domains.") ? "domains" : field,
      message,
    }));
    throw error.copyWith({ details });
  }
}
