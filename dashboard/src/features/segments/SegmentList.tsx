import { Paper, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Segment } from "../../shared/api/types.ts";
import { ConstraintList } from "../../shared/constraints/ConstraintList.tsx";
import { LinkAnchor } from "../../shared/ui/links.tsx";
import classes from "./SegmentList.module.css";

/**
 * The maximum number of constraints that the list shows for a segment. The page of the segment
 * shows all.
 */
const MAX_LINES = 3;

export function SegmentList({ segments }: { segments: readonly Segment[] }) {
  const { t } = useTranslation();
  return (
    <Paper component="ul" withBorder radius="md" className={classes.list}>
      {segments.map((segment) => (
        <li key={segment.id} className={classes.row}>
          <div>
            <LinkAnchor
              c="inherit"
              size="sm"
              fw={600}
              to="/projects/$projectId/segments/$segmentId"
              params={{ projectId: segment.projectId, segmentId: segment.id }}
            >
              {segment.name}
            </LinkAnchor>
            <Text size="sm" c="dimmed" lineClamp={2}>
              {segment.description}
            </Text>
          </div>
          <ConstraintList
            constraints={segment.constraints}
            max={MAX_LINES}
            empty={t("segments.nobody")}
          />
          <UseCount segment={segment} />
        </li>
      ))}
    </Paper>
  );
}

function UseCount({ segment: { flagCount: count } }: { segment: Segment }) {
  const { t } = useTranslation();
  return (
    <Text size="sm" className={classes.uses ?? ""} {...(count === 0 && { c: "dimmed" })}>
      {count !== undefined &&
        (count === 0 ? t("segments.notUsed") : t("segments.usedByCount", { count }))}
    </Text>
  );
}
