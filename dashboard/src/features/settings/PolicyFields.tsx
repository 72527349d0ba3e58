import { Fieldset, Radio, Select, Stack, Switch, TagsInput, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { ReactNode } from "react";
import { every } from "../../shared/every.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { HoursInput } from "./HoursInput.tsx";
import type { ProviderFields } from "./provider-fields.ts";

const PROVISIONINGS = every<ProviderFields["provisioning"]>()(["invited", "justInTime"]);
const SECOND_FACTORS = every<ProviderFields["secondFactor"]>()(["local", "amr", "provider"]);
const DEFAULT_ROLES = every<ProviderFields["defaultRole"]>()(["VIEWER", "DEVELOPER", "refuse"]);

interface Props {
  form: UseFormReturnType<ProviderFields>;
  /** The inputs that map groups to roles. */
  children: ReactNode;
}

/** The inputs for who gets in, with which role and for how long. */
export function PolicyFields({ form, children }: Props) {
  const { t } = useTranslation();
  const { type } = form.values;
  return (
    <>
      <Fieldset legend={t("identityProviders.users")}>
        <Stack gap="sm">
          <TagsInput
            label={t("identityProviders.domains")}
            description={t("identityProviders.domainsHint")}
            placeholder={form.values.domains.length === 0 ? "example.com" : ""}
            splitChars={[",", ";", " ", "\n"]}
            acceptValueOnBlur
            maxTags={50}
            {...form.getInputProps("domains")}
          />
          <Radio.Group
            label={t("identityProviders.provisioning")}
            {...form.getInputProps("provisioning")}
          >
            <Stack gap="xs" mt="xs">
              {PROVISIONINGS.map((value) => (
                <Radio
                  key={value}
                  value={value}
                  label={t(`identityProviders.provisionings.${value}`)}
                  description={t(`identityProviders.provisioningMeans.${value}`)}
                />
              ))}
            </Stack>
          </Radio.Group>
          <Switch
            label={t("identityProviders.linkByEmail")}
            description={t("identityProviders.linkByEmailHint")}
            {...form.getInputProps("linkByEmail", { type: "checkbox" })}
          />
        </Stack>
      </Fieldset>
      <Fieldset legend={t("identityProviders.roles")}>
        <Stack gap="sm">
          <Select
            label={t("identityProviders.defaultRole")}
            description={t("identityProviders.defaultRoleHint")}
            allowDeselect={false}
            data={DEFAULT_ROLES.map((value) => ({
              value,
              label: value === "refuse" ? t("identityProviders.refuse") : t(`users.roles.${value}`),
            }))}
            {...form.getInputProps("defaultRole")}
          />
          {type !== "github" && (
            <TextInput
              label={t("identityProviders.groupClaim")}
              description={t("identityProviders.groupClaimHint")}
              placeholder="groups"
              maxLength={200}
              {...form.getInputProps("groupClaim")}
            />
          )}
          {children}
        </Stack>
      </Fieldset>
      <Fieldset legend={t("settings.sessions")}>
        <Stack gap="sm">
          <Radio.Group
            label={t("identityProviders.secondFactor")}
            {...form.getInputProps("secondFactor")}
          >
            <Stack gap="xs" mt="xs">
              {SECOND_FACTORS.map((value) => (
                <Radio
                  key={value}
                  value={value}
                  label={t(`identityProviders.secondFactors.${value}`)}
                  description={t(`identityProviders.secondFactorMeans.${value}`)}
                />
              ))}
            </Stack>
          </Radio.Group>
          <HoursInput
            label={t("identityProviders.sessionHours")}
            {...form.getInputProps("sessionHours")}
          />
        </Stack>
      </Fieldset>
    </>
  );
}
