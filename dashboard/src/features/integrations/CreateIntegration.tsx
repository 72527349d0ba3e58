import { Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { dataOf } from "../../shared/api/response.ts";
import { api } from "../../shared/api/client.ts";
import type { Integration } from "../../shared/api/types.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { FormModal } from "../../shared/ui/FormModal.tsx";
import { OneTimeSecretModal } from "../../shared/ui/OneTimeSecretModal.tsx";
import { configOf, type IntegrationFields, NEW_FIELDS, toBody } from "./integration-fields.ts";
import { IntegrationForm } from "./IntegrationForm.tsx";

/** A second modal shows the signing secret once, and then the page of the integration opens. */
export function CreateIntegration({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const projectId = useProjectId();
  const [created, setCreated] = useState<Integration>();
  const create = useMutation({
    mutationFn: (fields: IntegrationFields) => {
      const body = { ...toBody(fields), type: "custom_webhook" as const, enabled: true, projectId };
      return dataOf(api.POST("/api/v1/integrations", { body }));
    },
  });
  const submit = async (fields: IntegrationFields) => {
    const integration = await create.mutateAsync(fields);
    onClose();
    setCreated(integration);
  };
  return (
    <>
      <FormModal title={t("integrations.new")} opened={opened} onClose={onClose} size="lg">
        <IntegrationForm
          initialValues={NEW_FIELDS}
          confirm={t("integrations.create")}
          submit={submit}
          onCancel={onClose}
        />
      </FormModal>
      {created && (
        <OneTimeSecretModal
          title={t("integrations.isCreated", { name: created.name })}
          label={t("integrations.secret")}
          secret={configOf(created).secret}
          onClose={() =>
            void navigate({
              to: "/projects/$projectId/integrations/$integrationId",
              params: { projectId, integrationId: created.id },
            })
          }
        >
          <Text size="sm">{t("integrations.secretUse")}</Text>
        </OneTimeSecretModal>
      )}
    </>
  );
}
