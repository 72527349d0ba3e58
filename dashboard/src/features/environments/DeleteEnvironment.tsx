import { Button, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useWrite } from "../../shared/api/request.ts";
import type { Environment } from "../../shared/api/types.ts";
import { ApiKeysLink } from "../../shared/api-keys/ApiKeysLink.tsx";
import { apiKeysQuery } from "../../shared/data/project-lists.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { TypeToConfirmModal } from "../../shared/ui/TypeToConfirmModal.tsx";
import { FormModal } from "../../shared/ui/FormModal.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { DialogFooter } from "../../shared/ui/DialogFooter.tsx";

interface Props {
  environment: Environment;
  opened: boolean;
  onClose: () => void;
}

/** If the environment has API keys, links to them, because the service refuses the deletion. */
export function DeleteEnvironment({ environment, opened, onClose }: Props) {
  const { t } = useTranslation();
  const { done } = useNotify();
  const { id, projectId, name } = environment;
  const { data: keys = [] } = useQuery(apiKeysQuery(projectId));
  const own = keys.filter(({ environmentId }) => environmentId === id);
  const remove = useWrite("delete", "/api/v1/environments/{id}");
  const title = t("environments.deleteAsk", { name });
  if (own.length > 0)
    return (
      <FormModal title={title} opened={opened} onClose={onClose}>
        <Stack>
          <Text size="sm">{t("environments.keysLeft", { count: own.length })}</Text>
          <DialogFooter>
            <Button variant="default" onClick={onClose}>
              {t("common.cancel")}
            </Button>
            <ApiKeysLink environment={environment}>{t("environments.toKeys")}</ApiKeysLink>
          </DialogFooter>
        </Stack>
      </FormModal>
    );
  return (
    <TypeToConfirmModal
      opened={opened}
      onClose={onClose}
      title={title}
      name={name}
      confirm={t("environments.delete")}
      onConfirm={async () => {
        await remove.mutateAsync({ path: { id } });
        done(t("environments.deleted", { name }));
      }}
    >
      {t("environments.deleteText")}
    </TypeToConfirmModal>
  );
}
