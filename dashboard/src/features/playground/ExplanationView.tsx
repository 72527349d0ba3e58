import { Code, Group, Text } from "@mantine/core";
import { IconCheck, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type {
  ConstraintOutcome,
  Explanation,
  RollOutOutcome,
  SegmentOutcome,
} from "@feature-flags/evaluation/explain";
import { conditionText } from "../../shared/constraints/constraint-text.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { LinkAnchor } from "../../shared/ui/links.tsx";
import classes from "./ExplanationView.module.css";

interface Props {
  flagId: number;
  isEnabled: boolean;
  explanation: Explanation;
  environmentName: string;
}

/**
 * The explanation of an evaluation. Shows for each part of the flag's rule whether the evaluation
 * context meets it, and the values in the evaluation context.
 */
export function ExplanationView({ flagId, isEnabled, explanation, environmentName }: Props) {
  const { t } = useTranslation();
  const projectId = useProjectId();
  const { constraints, segments, rollOut, verdict } = explanation;
  const environment = environmentName;
  return (
    <>
      <ul className={classes.checks}>
        <Check isMet={isEnabled}>
          {isEnabled
            ? t("playground.switchedOn", { environment })
            : t("playground.switchedOff", { environment })}
        </Check>
        <Constraints outcomes={constraints} />
        {segments.map((segment, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the order of a strategy's segments does not change while they are shown
          <Segment key={index} segment={segment} />
        ))}
        <RollOut rollOut={rollOut} />
      </ul>
      <Group gap="md" mt="sm">
        <Text size="xs" c="dimmed">
          {t("playground.reasonCode")} <Code>{verdict.reason}</Code>
        </Text>
        <LinkAnchor
          size="xs"
          to="/projects/$projectId/flags/$flagId"
          params={{ projectId, flagId }}
        >
          {t("playground.openFlag")}
        </LinkAnchor>
      </Group>
    </>
  );
}

interface CheckProps {
  isMet: boolean;
  /**
   * The outcome of the check as text, such as "met". Omitted if `children` already states the
   * outcome.
   */
  outcome?: string;
  /**
   * A second line, such as the value in the evaluation context, or the text that this value is
   * missing.
   */
  detail?: ReactNode;
  children: ReactNode;
}

function Check({ isMet, outcome, detail, children }: CheckProps) {
  const Icon = isMet ? IconCheck : IconX;
  return (
    <li className={classes.check} data-met={isMet || undefined}>
      <Icon size={16} stroke={2.5} aria-hidden className={classes.icon} />
      <div className={classes.words}>
        {children}
        {outcome !== undefined && <span className={classes.outcome}> {outcome}</span>}
        {detail !== undefined && (
          <Text size="xs" c="dimmed" component="div">
            {detail}
          </Text>
        )}
      </div>
    </li>
  );
}

function Constraints({ outcomes }: { outcomes: readonly ConstraintOutcome[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  return outcomes.map(({ constraint, value, holds }, index) => (
    <Check
      // oxlint-disable-next-line react/no-array-index-key -- constraints have no id, and their order does not change while they are shown
      key={index}
      isMet={holds}
      outcome={holds ? t("playground.met") : t("playground.notMet")}
      detail={
        value === undefined
          ? t("playground.missing", { field: constraint.field })
          : t("playground.has", { value: String(value) })
      }
    >
      <Text span inherit fw={600}>
        {constraint.field}
      </Text>{" "}
      {conditionText(t, constraint, format)}
    </Check>
  ));
}

function Segment({ segment: { name, constraints, holds } }: { segment: SegmentOutcome }) {
  const { t } = useTranslation();
  return (
    <Check
      isMet={holds}
      outcome={holds ? t("playground.met") : t("playground.notMet")}
      detail={
        constraints.length === 0 ? (
          t("playground.segmentEmpty")
        ) : (
          <ul className={classes.checks}>
            <Constraints outcomes={constraints} />
          </ul>
        )
      }
    >
      {name === "" ? t("playground.segmentGone") : t("playground.inSegment", { name })}
    </Check>
  );
}

function RollOut({ rollOut: { rollOut, fields, placed } }: { rollOut: RollOutOutcome }) {
  const { t } = useTranslation();
  const format = useFormat();
  const percentage = format.percent(rollOut / 100);
  if (rollOut >= 100) return <Check isMet>{t("playground.rollOut.all", { percentage })}</Check>;
  if (rollOut <= 0)
    return <Check isMet={false}>{t("playground.rollOut.nobody", { percentage })}</Check>;
  if (!placed)
    return (
      <Check isMet={false}>
        {t("playground.rollOut.noId", { percentage, fields: format.either(fields) })}
      </Check>
    );
  const isIn = placed.bucket <= rollOut;
  return (
    <Check
      isMet={isIn}
      outcome={isIn ? t("playground.rollOut.in") : t("playground.rollOut.out")}
      detail={t("playground.rollOut.placed", { ...placed })}
    >
      {t("playground.rollOut.share", { percentage })}
    </Check>
  );
}
