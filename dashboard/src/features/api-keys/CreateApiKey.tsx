import { Title } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Environment, Schemas } from "../../shared/api/types.ts";
import { SdkSnippets } from "../../shared/sdk-snippets/SdkSnippets.tsx";
import { FormModal } from "../../shared/ui/FormModal.tsx";
import { OneTimeSecretModal } from "../../shared/ui/OneTimeSecretModal.tsx";
import { ApiKeyForm } from "./ApiKeyForm.tsx";

interface Props {
  opened: boolean;
  onClose: () => void;
  environments: readonly Environment[];
  /**
   * The id of the environment that is selected when the form opens. Undefined selects the first
   * environment.
   */
  preset: number | undefined;
}

/**
 * A modal with the form that creates an API key. A second modal then shows the secret of the API
 * key, which the service returns only once.
 */
export function CreateApiKey({ opened, onClose, environments, preset }: Props) {
  const { t } = useTranslation();
  const [created, setCreated] = useState<Schemas["CreatedApiKey"]>();
  const show = (key: Schemas["CreatedApiKey"]) => {
    onClose();
    setCreated(key);
  };
  return (
    <>
      <FormModal title={t("apiKeys.new")} opened={opened} onClose={onClose} size="lg">
        <ApiKeyForm
          environments={environments}
          preset={preset}
          onCreated={show}
          onCancel={onClose}
        />
      </FormModal>
      {created && (
        <OneTimeSecretModal
          title={t("apiKeys.isCreated", { name: created.name })}
          label={t("apiKeys.key")}
          secret={created.apiKey}
          onClose={() => setCreated(undefined)}
        >
          <div>
            <Title order={3} size="h5" mb="xs">
              {t("apiKeys.tryIt")}
            </Title>
            <SdkSnippets apiKey={created.apiKey} keyType={created.keyType} />
          </div>
        </OneTimeSecretModal>
      )}
    </>
  );
}
