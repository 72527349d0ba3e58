import { Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import classes from "./Step.module.css";

const STEPS = ["file", "environments", "check", "plan", "apply"] as const;
type StepName = (typeof STEPS)[number];

interface Props {
  name: StepName;
  /** Whether the user has something to do in this step now. Default: false. */
  isCurrent?: boolean;
  /** Whether the step is finished. Default: false. */
  isDone?: boolean;
  /** Undefined: the step is still to come. */
  children?: ReactNode;
}

/** A step of the import: an item of a list with its number, its title, and what to do. */
export function Step({ name, isCurrent = false, isDone = false, children }: Props) {
  const { t } = useTranslation();
  const isReached = children !== undefined;
  return (
    <li
      className={classes.step}
      data-done={isDone || undefined}
      data-current={isCurrent || undefined}
      aria-current={isCurrent ? "step" : undefined}
    >
      <span className={classes.number} aria-hidden>
        {isDone ? "✓" : STEPS.indexOf(name) + 1}
      </span>
      <div className={classes.content}>
        {isReached ? (
          <Title order={3} size="h5" className={classes.title}>
            {t(`files.steps.${name}`)}
          </Title>
        ) : (
          <Text c="dimmed" className={classes.title}>
            {t(`files.steps.${name}`)}
          </Text>
        )}
        {children}
      </div>
    </li>
  );
}

/** The titles of the steps after a step, which are still to come. */
export const StepsAfter = ({ name }: { name: StepName }) =>
  STEPS.slice(STEPS.indexOf(name) + 1).map((later) => <Step key={later} name={later} />);
