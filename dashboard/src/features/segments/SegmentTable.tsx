import { Table, Text } from "@mantine/core";
import type { Segment } from "../../shared/api/types.ts";
import { ConstraintList } from "../../shared/constraints/ConstraintList.tsx";
import { FlagCountLink } from "../../shared/flags/FlagCountLink.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { RowLink } from "../../shared/ui/links.tsx";
import { ScrollableTable } from "../../shared/ui/ScrollableTable.tsx";
import { useIsNarrow } from "../../shared/ui/use-is-narrow.ts";
import classes from "./SegmentTable.module.css";

/**
 * The maximum number of constraints that the table shows for a segment. The page of the segment
 * shows all.
 */
const MAX_LINES = 3;

/** The table of segments. On a phone, the constraints are below the name. */
export function SegmentTable({ segments }: { segments: readonly Segment[] }) {
  const { t } = useTranslation();
  const isNarrow = useIsNarrow();
  return (
    <ScrollableTable label={t("shell.segments")}>
      <Table verticalSpacing="sm" horizontalSpacing="md" className={classes.table ?? ""}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t("common.name")}</Table.Th>
            {!isNarrow && (
              <Table.Th scope="col" w="50%">
                {t("segments.members")}
              </Table.Th>
            )}
            <Table.Th scope="col" className={classes.uses ?? ""}>
              {t("segments.usedBy")}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {segments.map((segment) => (
            <SegmentRow key={segment.id} segment={segment} isNarrow={isNarrow} />
          ))}
        </Table.Tbody>
      </Table>
    </ScrollableTable>
  );
}

function SegmentRow({ segment, isNarrow }: { segment: Segment; isNarrow: boolean }) {
  const { t } = useTranslation();
  const { id, projectId, name, description, constraints, flagCount } = segment;
  const members = (
    <ConstraintList constraints={constraints} max={MAX_LINES} empty={t("segments.nobody")} />
  );
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400}>
        <RowLink
          to="/projects/$projectId/segments/$segmentId"
          params={{ projectId, segmentId: id }}
        >
          {name}
        </RowLink>
        <Text size="sm" c="dimmed" lineClamp={2}>
          {description}
        </Text>
        {isNarrow && <div className={classes.members}>{members}</div>}
      </Table.Th>
      {!isNarrow && <Table.Td>{members}</Table.Td>}
      <Table.Td className={classes.uses ?? ""}>
        <FlagCountLink projectId={projectId} count={flagCount} search={{ segment: id }} />
      </Table.Td>
    </Table.Tr>
  );
}
