import { Button, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useDelete } from "../../shared/api/request.ts";
import type { Segment } from "../../shared/api/types.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { flagsUsingSegmentQuery } from "./queries.ts";
import { FlagLinks, MAX_SHOWN } from "./FlagsUsingSegment.tsx";
import { DialogFooter } from "../../shared/ui/DialogFooter.tsx";

interface Props {
  segment: Segment;
  onClose: () => void;
}

/** Lists the flags that use the segment instead, because the service refuses the deletion. */
export function DeleteSegment({ segment, onClose }: Props) {
  const { t } = useTranslation();
  const { done } = useNotify();
  const navigate = useNavigate();
  const { id, projectId, version, name } = segment;
  const { data: usage } = useQuery(flagsUsingSegmentQuery(projectId, id, MAX_SHOWN));
  const [error, setError] = useState<unknown>();
  const list = { to: "/projects/$projectId/segments", params: { projectId } } as const;
  const remove = useDelete("/api/v1/segments/{id}", () =>
    navigate({ ...list, ignoreBlocker: true }),
  );
  const isUsed = usage !== undefined && usage.totalItems > 0;

  const confirm = async () => {
    setError(undefined);
    try {
      await remove.mutateAsync({ path: { id }, ifMatch: version });
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
          <Text size="sm">{t("segments.deleteUsed", { count: usage.totalItems })}</Text>
          <FlagLinks flags={usage.items} />
          {usage.totalItems > usage.items.length && (
            <Text size="sm" c="dimmed">
              {t("segments.useMore", { count: usage.totalItems - usage.items.length })}
            </Text>
          )}
        </>
      ) : (
        <Text size="sm">{t("segments.deleteText")}</Text>
      )}
      <DialogFooter>
        <Button variant="default" onClick={onClose} data-autofocus>
          {t(isUsed ? "common.close" : "common.cancel")}
        </Button>
        {usage !== undefined && !isUsed && (
          <Button color="red" loading={remove.isPending} onClick={() => void confirm()}>
            {t("segments.delete")}
          </Button>
        )}
      </DialogFooter>
    </Stack>
  );
}
