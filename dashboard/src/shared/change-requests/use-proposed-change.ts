import type { Schemas } from "../api/types.ts";
import { changesText } from "../history/change-text.ts";
import { recordChanges } from "../history/changes.ts";
import type { FieldChange } from "../history/field-change.ts";
import { useFormat } from "../i18n/use-format.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import type { SegmentsById } from "../strategy/segments-by-id.ts";

type FlagOperation = NonNullable<Schemas["ChangeRequestSummary"]["operations"]>[number];

/** A hook that returns a function which says what an operation would do to a flag, such as `100% → 60%`. */
export function useProposedChange(segments: SegmentsById): (operation: FlagOperation) => string {
  const { t } = useTranslation();
  const { list, exactPercent } = useFormat();
  const words = { t, list, exactPercent, segment: (id: number) => segments.get(id)?.name };
  const percent = (value: number) => exactPercent(value / 100);

  const phrase = (change: FieldChange): string => {
    if (change.kind === "value") {
      const { field, before, after } = change;
      if (field === "enabled") return t(`changeRequests.does.${after === true ? "on" : "off"}`);
      if (field === "percentage" && typeof before === "number" && typeof after === "number")
        return t("changeRequests.does.percentage", {
          before: percent(before),
          after: percent(after),
        });
    }
    return changesText(words, [change]);
  };

  return ({ kind, base, after }) => {
    if (kind === "flag.archive" || kind === "flag.unarchive" || kind === "flag.clone")
      return t(`changeRequests.does.${kind}`);
    if (kind === "ramp.start")
      return t("changeRequests.does.ramp.start", {
        steps: stepsOf(after["ramp"]).map(percent).join(" → "),
      });
    return list(recordChanges({ before: base, after }).map(phrase));
  };
}

/** Returns the percentages of a recorded ramp. */
function stepsOf(ramp: unknown): number[] {
  const { steps = [] } = (ramp ?? {}) as Partial<Pick<Schemas["StartRamp"], "steps">>;
  return steps.map(({ exactPercentage }) => exactPercentage);
}
