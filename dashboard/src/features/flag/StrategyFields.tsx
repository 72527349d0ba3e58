import { Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { ConstraintsEditor } from "../../shared/constraints/ConstraintsEditor.tsx";
import type { StrategyErrors } from "./strategy-errors.ts";
import { RollOutInput } from "./RollOutInput.tsx";
import { SegmentsInput } from "./SegmentsInput.tsx";
import { StickinessInput } from "./StickinessInput.tsx";
import type { SegmentsById, StrategyContent } from "./strategy.ts";
import classes from "./StrategyFields.module.css";

interface Props {
  projectId: number;
  segments: SegmentsById;
  values: StrategyContent;
  onChange: (part: Partial<StrategyContent>) => void;
  fieldErrors: StrategyErrors;
}

export function StrategyFields({ projectId, segments, values, onChange, fieldErrors }: Props) {
  const { t } = useTranslation();
  const { percentage, stickiness, constraints, segmentIds } = values;
  return (
    <Stack gap="lg">
      <div className={classes.pair}>
        <RollOutInput
          value={percentage}
          onChange={(value) => onChange({ percentage: value })}
          error={fieldErrors.percentage}
        />
        <StickinessInput
          projectId={projectId}
          value={stickiness}
          onChange={(field) => onChange({ stickiness: field })}
          isIdle={percentage === 0 || percentage === 100}
          error={fieldErrors.stickiness}
        />
      </div>
      <fieldset className={classes.group}>
        <legend className={classes.legend}>{t("flag.constraints")}</legend>
        <ConstraintsEditor
          projectId={projectId}
          value={constraints}
          onChange={(value) => onChange({ constraints: value })}
          fieldErrors={fieldErrors.constraints}
          empty={t("flag.constraintsNone")}
        />
      </fieldset>
      <SegmentsInput
        projectId={projectId}
        segments={segments}
        value={segmentIds}
        onChange={(ids) => onChange({ segmentIds: ids })}
        error={fieldErrors.segmentIds}
      />
    </Stack>
  );
}
