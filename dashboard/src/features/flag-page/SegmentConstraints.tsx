import { Accordion, Text } from "@mantine/core";
import { ConstraintList } from "../../shared/constraints/ConstraintList.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import type { SegmentsById } from "../../shared/strategy/segments-by-id.ts";

/** A collapsible section for each segment. Leaves out ids that are not in `segments`. */
export function SegmentConstraints({
  segmentIds,
  segments,
}: {
  segmentIds: readonly number[];
  segments: SegmentsById;
}) {
  const { t } = useTranslation();
  const known = segmentIds.flatMap((id) => segments.get(id) ?? []);
  if (known.length === 0) return null;
  return (
    <Accordion multiple variant="separated" chevronPosition="left">
      {known.map(({ id, name, constraints }) => (
        <Accordion.Item key={id} value={String(id)}>
          <Accordion.Control>
            <Text size="sm">{t("flag.segmentPeek", { segment: name })}</Text>
          </Accordion.Control>
          <Accordion.Panel>
            <ConstraintList constraints={constraints} empty={t("flag.segmentEmpty")} />
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}
