import { Select, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read } from "../../shared/api/request.ts";
import type { Environment, Schemas } from "../../shared/api/types.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { SdkSnippets } from "../../shared/sdk-snippets/SdkSnippets.tsx";
import { FormModal } from "../../shared/ui/FormModal.tsx";
import { OneTimeSecretModal } from "../../shared/ui/OneTimeSecretModal.tsx";
import { ApiKeyForm } from "./ApiKeyForm.tsx";

interface Props {
  opened: boolean;
  onClose: () => void;
  environments: readonly Environment[];
  /** The environment that is selected at first. Undefined selects the first environment. */
  preset: number | undefined;
}

/** Creates an API key. A second modal shows its secret, which the service returns only once. */
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
            <Examples apiKey={created} />
          </div>
        </OneTimeSecretModal>
      )}
    </>
  );
}

/** Code examples with the new API key, for a flag of the project that the user can choose. */
function Examples({ apiKey: { apiKey, keyType } }: { apiKey: Schemas["CreatedApiKey"] }) {
  const { t } = useTranslation();
  const { data: flags = [] } = useQuery(flagKeysQuery(useProjectId()));
  const [chosen, setChosen] = useState<string>();
  const flag = flags.find(({ key }) => key === chosen) ?? flags[0];
  return (
    <>
      {flag && (
        <Select
          label={t("apiKeys.exampleFlag")}
          data={flags.map(({ key, name }) => ({ value: key, label: name }))}
          value={flag.key}
          onChange={(key) => setChosen(key ?? undefined)}
          searchable
          allowDeselect={false}
          maw="24rem"
          mb="sm"
        />
      )}
      <SdkSnippets apiKey={apiKey} keyType={keyType} flag={flag} />
    </>
  );
}

/** The number of flags to choose from, the maximum size of a page of the API. */
const SIZE = 200;

/** The query (React Query) for the first flags of a project by name, without archived flags. */
const flagKeysQuery = (projectId: number) =>
  read(
    "/api/v1/flags",
    { query: { projectId, archived: false, sort: "name", size: SIZE } },
    { select: ({ items }) => items },
  );
