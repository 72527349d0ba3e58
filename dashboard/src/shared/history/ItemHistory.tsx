import { Divider, Paper, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { AuditRecord, Environment } from "../api/types.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { LinkAnchor } from "../ui/links.tsx";
import { QueryView } from "../ui/QueryView.tsx";
import { auditQuery } from "./audit-query.ts";
import { RecordItem, RecordList } from "./RecordItem.tsx";
import { type ItemNames, itemNames } from "./item-names.ts";

const SHOWN = 10;

/** How many records are read, among which are those of one environment. */
const READ = 50;

interface Props {
  type: "flag" | "segment";
  item: { id: number; projectId: number };
  /** Leaves out the strategies of all other environments. Default: the records of all environments. */
  environment?: Pick<Environment, "id" | "name"> | undefined;
}

/** The 10 latest audit records of a flag with its strategies, or of a segment. */
export function ItemHistory({ type, item: { id, projectId }, environment }: Props) {
  const { t } = useTranslation();
  const records = useQuery(
    auditQuery([type, id], () => ({
      projectId,
      entityType: type,
      entityId: id,
      size: type === "flag" ? READ : SHOWN,
      related: true,
    })),
  );
  return (
    <Paper withBorder radius="md">
      <QueryView query={records}>
        {({ items, related }) => (
          <>
            {environment && (
              <Text size="sm" c="dimmed" px="md" pt="sm">
                {t("history.ofEnvironment", { environment: environment.name })}
              </Text>
            )}
            <Records items={ofEnvironment(items, environment)} names={itemNames(related)} />
          </>
        )}
      </QueryView>
      <Divider />
      <LinkAnchor
        size="sm"
        display="inline-block"
        px="md"
        py="sm"
        to="/projects/$projectId/audit"
        params={{ projectId }}
        search={{ type, id }}
      >
        {t("history.flagAll")}
      </LinkAnchor>
    </Paper>
  );
}

const ofEnvironment = (
  items: readonly AuditRecord[],
  environment: Props["environment"],
): readonly AuditRecord[] =>
  items
    .filter(
      ({ environmentId }) =>
        environment === undefined || environmentId === null || environmentId === environment.id,
    )
    .slice(0, SHOWN);

function Records({ items, names }: { items: readonly AuditRecord[]; names: ItemNames }) {
  const { t } = useTranslation();
  if (items.length === 0)
    return (
      <Text size="sm" c="dimmed" p="md">
        {t("history.flagEmpty")}
      </Text>
    );
  return (
    <RecordList>
      {items.map((record) => (
        <RecordItem key={record.id} record={record} names={names} />
      ))}
    </RecordList>
  );
}
