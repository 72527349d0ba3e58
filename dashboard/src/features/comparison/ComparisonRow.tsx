import { Checkbox, Text } from "@mantine/core";
import { IconArrowRight } from "@tabler/icons-react";
import type { Environment, Strategy } from "../../shared/api/types.ts";
import { EnvironmentChip } from "../../shared/environments/EnvironmentChip.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { StateBadge } from "../../shared/strategy/StateBadge.tsx";
import { LinkAnchor } from "../../shared/ui/links.tsx";
import type { ComparedFlag } from "./comparison-query.ts";
import classes from "./ComparisonRow.module.css";
import { DifferingFields } from "./DifferingFields.tsx";

interface Props {
  compared: ComparedFlag;
  from: Environment;
  to: Environment;
  describe: (strategy: Strategy) => string;
  /** Called when the user selects the flag. Undefined for a flag that cannot be copied. */
  selection: { isSelected: boolean; onSelect: (isOn: boolean) => void } | undefined;
}

export function ComparisonRow({ compared, from, to, describe, selection }: Props) {
  const { t } = useTranslation();
  const { flag, fields } = compared;
  return (
    <li className={classes.row}>
      <div className={classes.check}>
        {selection && (
          <Checkbox
            size="md"
            aria-label={t("comparison.select", { flag: flag.name })}
            checked={selection.isSelected}
            onChange={({ currentTarget }) => selection.onSelect(currentTarget.checked)}
          />
        )}
      </div>
      <div className={classes.flag}>
        <LinkAnchor
          size="sm"
          fw={600}
          to="/projects/$projectId/flags/$flagId"
          params={{ projectId: from.projectId, flagId: flag.id }}
          search={{ view: "compare", environment: from.id, against: to.id }}
        >
          {flag.name}
        </LinkAnchor>
        <Text size="xs" c="dimmed" ff="monospace">
          {flag.key}
        </Text>
        <DifferingFields fields={fields} />
      </div>
      <Side environment={from} strategy={compared.from} describe={describe} />
      <IconArrowRight size={16} stroke={1.75} aria-hidden className={classes.arrow} />
      <Side environment={to} strategy={compared.to} describe={describe} />
    </li>
  );
}

interface SideProps extends Pick<Props, "describe"> {
  environment: Environment;
  strategy: Strategy;
}

function Side({ environment, strategy, describe }: SideProps) {
  return (
    <div className={classes.side}>
      <div className={classes.state}>
        <EnvironmentChip id={environment.id} name={environment.name} />
        <StateBadge isOn={strategy.enabled} />
      </div>
      <Text size="sm">{describe(strategy)}</Text>
    </div>
  );
}
