import { Button, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { etag } from "../../shared/api/response.ts";
import { api } from "../../shared/api/client.ts";
import type { Segment } from "../../shared/api/types.ts";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { FormModal } from "../../shared/ui/FormModal.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { usersQuery } from "./queries.ts";
import { FlagLinks, SHOWN } from "./FlagsUsingSegment.tsx";

interface Props {
  segment: Segment;
  opened: boolean;
  onClose: () => void;
}

/** The service deletes no segment that a flag uses: then this says which do. */
export function DeleteSegment({ segment, opened, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <FormModal title={t("segments.deleteAsk", segment)} opened={opened} onClose={onClose}>
      <Question segment={segment} onClose={onClose} />
    </FormModal>
  );
}

function Question({ segment, onClose }: Omit<Props, "opened">) {
  const { t } = useTranslation();
  const { done } = useNotify();
  const navigate = useNavigate();
  const { id, projectId, version, name } = segment;
  const { data: users } = useQuery(usersQuery(projectId, id, SHOWN));
  const [error, setError] = useState<unknown>();
  const remove = useMutation({
    mutationFn: async () => {
      const header = { "If-Match": etag(version) };
      await api.DELETE("/api/v1/segments/{id}", { params: { path: { id }, header } });
      // Before everything on the page is asked for anew, this segment, too.
      await navigate({
        to: "/projects/$projectId/segments",
        params: { projectId },
        ignoreBlocker: true,
      });
    },
  });
  const isUsed = users !== undefined && users.totalItems > 0;

  const confirm = async () => {
    setError(undefined);
    try {
      await remove.mutateAsync();
      done(t("segments.deleted", { name }));
    } catch (thrown) {
      setError(thrown);
    }
  };

  return (
    <Stack>
      {error !== undefined && <ErrorAlert error={error} />}
      {isUsed ? (
        <>
          <Text size="sm">{t("segments.deleteUsed", { count: users.totalItems })}</Text>
          <FlagLinks flags={users.items} />
          {users.totalItems > users.items.length && (
            <Text size="sm" c="dimmed">
              {t("segments.useMore", { count: users.totalItems - users.items.length })}
            </Text>
          )}
        </>
      ) : (
        <Text size="sm">{t("segments.deleteText")}</Text>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          {t(isUsed ? "common.close" : "common.cancel")}
        </Button>
        {users !== undefined && !isUsed && (
          <Button color="red" loading={remove.isPending} onClick={() => void confirm()}>
            {t("segments.delete")}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
