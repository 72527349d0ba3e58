import { Checkbox, Stack } from "@mantine/core";
import { type Scope, SCOPES } from "@feature-flags/permissions/permissions";
import type { ReactNode } from "react";
import { useTranslation } from "../i18n/use-translation.ts";

interface Props {
  /** The scopes from which the user chooses. */
  offered: readonly Scope[];
  value: readonly Scope[];
  onChange: (scopes: Scope[]) => void;
  error: ReactNode;
}

/** The scopes of a token. `read` is checked and disabled while another scope includes it. */
export function ScopeChoice({ offered, value, onChange, error }: Props) {
  const { t } = useTranslation();
  const isReadIncluded = value.includes("write") || value.includes("admin");
  return (
    <Checkbox.Group
      label={t("tokens.scopes")}
      description={t("tokens.scopesHint")}
      required
      withAsterisk={false}
      error={error}
      errorProps={{ mt: "xs" }}
      value={isReadIncluded ? [...value, "read"] : [...value]}
      onChange={(checked) => onChange(SCOPES.filter((scope) => checked.includes(scope)))}
    >
      <Stack gap="xs" mt="xs">
        {SCOPES.filter((scope) => offered.includes(scope)).map((scope) => (
          <Checkbox
            key={scope}
            value={scope}
            // The form looks for this input to focus it after an error.
            {...(scope === "read" && { "data-path": "scopes" })}
            label={t(`tokens.scopeNames.${scope}`)}
            description={t(`tokens.scopeMeans.${scope}`)}
            disabled={scope === "read" && isReadIncluded}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
