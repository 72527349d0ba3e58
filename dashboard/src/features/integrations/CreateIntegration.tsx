import { Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Navigate, useNavigate } from "@tanstack/react-router";
import { send } from "../../shared/api/request.ts";
import type { Integration } from "../../shared/api/types.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { OneTimeSecretModal } from "../../shared/ui/OneTimeSecretModal.tsx";
import { configOf, type IntegrationFields, NEW_FIELDS, toBody } from "./integration-fields.ts";
import { IntegrationForm } from "./IntegrationForm.tsx";

interface Props {
  onClose: () => void;
  onCreated: (integration: Integration) => void;
}

export function CreateIntegration({ onClose, onCreated }: Props) {
  const { t } = useTranslation();
  const projectId = useProjectId();
  const create = useMutation({
    mutationFn: (fields: IntegrationFields) => {
      const body = { ...toBody(fields), enabled: true, projectId };
      return send("post", "/api/v1/integrations", { body });
    },
  });
  return (
    <IntegrationForm
      initialValues={NEW_FIELDS}
      isNew
      confirm={t("integrations.create")}
      submit={async (fields) => {
        const integration = await create.mutateAsync(fields);
        onClose();
        onCreated(integration);
      }}
      onCancel={onClose}
    />
  );
}

/** Shows the signing secret of a new integration once, if it has one, and then opens its page. */
export function SigningSecret({ integration }: { integration: Integration }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { id: integrationId, projectId, name } = integration;
  const { secret } = configOf(integration);
  const to = "/projects/$projectId/integrations/$integrationId";
  const params = { projectId, integrationId };
  if (secret === undefined) return <Navigate to={to} params={params} />;
  return (
    <OneTimeSecretModal
      title={t("integrations.isCreated", { name })}
      label={t("integrations.secret")}
      secret={secret}
      onClose={() => void navigate({ to, params })}
    >
      <Text size="sm">{t("integrations.secretUse")}</Text>
    </OneTimeSecretModal>
  );
}
