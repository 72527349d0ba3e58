import { MultiSelect, Stack, Text } from "@mantine/core";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { WithHelp } from "../../shared/ui/HelpButton.tsx";
import { LinkAnchor } from "../../shared/ui/links.tsx";
import { segmentName, type SegmentsById } from "../../shared/strategy/segments-by-id.ts";
import { SegmentConstraints } from "./SegmentConstraints.tsx";

/** The maximum number of segments in a strategy. The API rejects more. */
const MAX_SEGMENTS = 20;

interface Props {
  projectId: number;
  segments: SegmentsById;
  value: readonly number[];
  onChange: (segmentIds: number[]) => void;
  error: string | undefined;
}

/** The strategy applies only to users who belong to all of the chosen segments. */
export function SegmentsInput({ projectId, segments, value, onChange, error }: Props) {
  const { t } = useTranslation();
  const offered = new Map([
    ...[...segments.values()].map(({ id, name }) => [id, name] as const),
    ...value.map((id) => [id, segmentName(id, segments)] as const),
  ]);
  return (
    <Stack gap="xs">
      <WithHelp
        about={t("strategy.segmentIds.label")}
        input={
          <MultiSelect
            label={t("strategy.segmentIds.label")}
            placeholder={value.length === 0 ? t("flag.segmentsPlaceholder") : ""}
            data={[...offered].map(([id, name]) => ({ value: String(id), label: name }))}
            value={value.map(String)}
            onChange={(ids) => onChange(ids.map(Number))}
            searchable
            hidePickedOptions
            maxValues={MAX_SEGMENTS}
            nothingFoundMessage={t("flag.segmentsNothing")}
            error={error}
          />
        }
      >
        {t("strategy.segmentIds.hint")}
      </WithHelp>
      {segments.size === 0 && (
        <Text size="sm" c="dimmed">
          {t("flag.segmentsNone")}{" "}
          <LinkAnchor
            inherit
            underline="always"
            to="/projects/$projectId/segments"
            params={{ projectId }}
          >
            {t("flag.segmentsGo")}
          </LinkAnchor>
        </Text>
      )}
      <SegmentConstraints segmentIds={value} segments={segments} />
    </Stack>
  );
}
