import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { etag } from "../../shared/api/response.ts";
import { api } from "../../shared/api/client.ts";
import type { Integration } from "../../shared/api/types.ts";
import { FormModal } from "../../shared/ui/FormModal.tsx";
import { fieldsOf, type IntegrationFields, toBody } from "./integration-fields.ts";
import { IntegrationForm } from "./IntegrationForm.tsx";

interface Props {
  integration: Integration;
  opened: boolean;
  onClose: () => void;
}

export function EditIntegration({ integration, opened, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <FormModal
      title={t("integrations.editOne", { name: integration.name })}
      opened={opened}
      onClose={onClose}
      size="lg"
    >
      <EditForm integration={integration} onClose={onClose} />
    </FormModal>
  );
}

/**
 * The form that edits the integration version that was current when the form opened. If somebody
 * else has saved the integration since then, the API rejects the update (412).
 */
function EditForm({ integration, onClose }: Omit<Props, "opened">) {
  const { t } = useTranslation();
  const [edited] = useState(integration);
  const { id, version } = edited;
  const save = useMutation({
    mutationFn: (fields: IntegrationFields) =>
      api.PUT("/api/v1/integrations/{id}", {
        params: { path: { id }, header: { "If-Match": etag(version) } },
        body: toBody(fields),
      }),
  });
  return (
    <IntegrationForm
      initialValues={fieldsOf(edited)}
      confirm={t("common.save")}
      submit={async (fields) => {
        await save.mutateAsync(fields);
        onClose();
      }}
      onCancel={onClose}
    />
  );
}
