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

/** Explains each part of a rule: whether it is met, and the context's value. */
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
          // oxlint-disable-next-line react/no-array-index-key -- in the order of the strategy
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
  /** The outcome as text, when the condition does not contain it. */
  outcome?: string;
  /** The context's value for this part. */
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
      // oxlint-disable-next-line react/no-array-index-key -- they have nothing else, and stay put
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
