import { Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { send } from "../../shared/api/request.ts";
import type { Integration } from "../../shared/api/types.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { FormModal } from "../../shared/ui/FormModal.tsx";
import { OneTimeSecretModal } from "../../shared/ui/OneTimeSecretModal.tsx";
import {
  configOf,
  fieldsOf,
  type IntegrationFields,
  SECRET_MASK,
  toBody,
} from "./integration-fields.ts";
import { IntegrationForm } from "./IntegrationForm.tsx";

interface Props {
  integration: Integration;
  opened: boolean;
  onClose: () => void;
}

/** If the URL moves to another host, a second modal shows the new signing secret once. */
export function EditIntegration({ integration, opened, onClose }: Props) {
  const { t } = useTranslation();
  const [saved, setSaved] = useState<Integration>();
  const { secret = SECRET_MASK } = saved ? configOf(saved) : {};
  return (
    <>
      <FormModal
        title={t("integrations.editOne", { name: integration.name })}
        opened={opened}
        onClose={onClose}
        size="lg"
      >
        <EditForm integration={integration} onSaved={setSaved} onClose={onClose} />
      </FormModal>
      {secret !== SECRET_MASK && (
        <OneTimeSecretModal
          title={t("integrations.hasNewSecret", { name: integration.name })}
          label={t("integrations.secret")}
          secret={secret}
          onClose={() => setSaved(undefined)}
        >
          <Text size="sm">{t("integrations.newHostSecret")}</Text>
        </OneTimeSecretModal>
      )}
    </>
  );
}

/** Edits the version at opening: if somebody else has saved since then, the API returns 412. */
function EditForm({
  integration,
  onSaved,
  onClose,
}: Omit<Props, "opened"> & { onSaved: (saved: Integration) => void }) {
  const { t } = useTranslation();
  const [edited] = useState(integration);
  const { id, version } = edited;
  const save = useMutation({
    mutationFn: (fields: IntegrationFields) =>
      send("put", "/api/v1/integrations/{id}", {
        path: { id },
        ifMatch: version,
        body: toBody(fields),
      }),
  });
  return (
    <IntegrationForm
      initialValues={fieldsOf(edited)}
      confirm={t("common.save")}
      submit={async (fields) => {
        onSaved(await save.mutateAsync(fields));
        onClose();
      }}
      onCancel={onClose}
    />
  );
}
