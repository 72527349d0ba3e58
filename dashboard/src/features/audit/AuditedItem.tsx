import { Text } from "@mantine/core";
import { IconSettings } from "@tabler/icons-react";
import type { LinkOptions } from "@tanstack/react-router";
import type { AuditRecord } from "../../shared/api/types.ts";
import type { ItemNames } from "../../shared/history/item-names.ts";
import { useRecordText } from "../../shared/history/use-record-text.ts";
import { LinkAnchor } from "../../shared/ui/links.tsx";
import { kindOf } from "./kinds.ts";

/** The item that a record describes: a link to its page, if it has one and still exists. */
export function AuditedItem({ record, names }: { record: AuditRecord; names: ItemNames }) {
  const recordText = useRecordText(names);
  const page = pageOf(record, names);
  const Icon = kindOf(record.entityType)?.Icon ?? IconSettings;
  const name = recordText.item(record);
  return (
    <>
      <Icon
        size={16}
        stroke={1.75}
        role="img"
        aria-label={recordText.kind(record.entityType)}
        style={{ flex: "none" }}
      />
      {page ? (
        <LinkAnchor size="sm" fw={600} {...page}>
          {name}
        </LinkAnchor>
      ) : (
        <Text size="sm" component="span" fw={600}>
          {name}
        </Text>
      )}
    </>
  );
}

function pageOf(record: AuditRecord, names: ItemNames): LinkOptions | undefined {
  const { entityType, entityId: id, projectId } = record;
  if (id === null || projectId === null || !names.exists(entityType, id)) return undefined;
  if (entityType === "flag")
    return { to: "/projects/$projectId/flags/$flagId", params: { projectId, flagId: id } };
  if (entityType === "segment")
    return { to: "/projects/$projectId/segments/$segmentId", params: { projectId, segmentId: id } };
  if (entityType === "context")
    return { to: "/projects/$projectId/contexts/$contextId", params: { projectId, contextId: id } };
  if (entityType === "integration")
    return {
      to: "/projects/$projectId/integrations/$integrationId",
      params: { projectId, integrationId: id },
    };
  return undefined;
}
