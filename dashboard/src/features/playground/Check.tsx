import { Text } from "@mantine/core";
import { IconCheck, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import classes from "./Check.module.css";

interface Props {
  isMet: boolean;
  /** The outcome in words, such as "met". Omitted if `children` already states the outcome. */
  outcome?: ReactNode;
  /** A second line, such as the value in the evaluation context, or that it is missing. */
  detail?: ReactNode;
  children: ReactNode;
}

/** A list item for one condition of an evaluation, with a sign that says whether it is met. */
export function Check({ isMet, outcome, detail, children }: Props) {
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

export function CheckList({ children }: { children: ReactNode }) {
  return <ul className={classes.checks}>{children}</ul>;
}
