import { Text, VisuallyHidden } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import classes from "./Steps.module.css";

interface Props {
  number: number;
  title: string;
  isDone: boolean;
  isCurrent: boolean;
  /** Stays open when it is done. */
  isOpen?: boolean;
  /** What has come of it, once it is done. */
  summary: ReactNode;
  /** What it is for, as long as it is open. */
  text: string;
  children: ReactNode;
}

export function Step({
  number,
  title,
  isDone,
  isCurrent,
  isOpen = false,
  summary,
  text,
  children,
}: Props) {
  const { t } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  const wasCurrent = useRef(isCurrent);
  // The button of the step before, which had the focus, is gone.
  useEffect(() => {
    if (isCurrent && !wasCurrent.current) heading.current?.focus();
    wasCurrent.current = isCurrent;
  }, [isCurrent]);

  return (
    <li
      className={classes.step}
      data-current={isCurrent || undefined}
      data-done={isDone || undefined}
      aria-current={isCurrent ? "step" : undefined}
    >
      <span className={classes.mark} aria-hidden>
        {isDone ? <IconCheck size={18} stroke={2.5} /> : number}
      </span>
      <div>
        <h2 ref={heading} tabIndex={-1} className={classes.title}>
          {title}
          {isDone && <VisuallyHidden> {t("start.done")}</VisuallyHidden>}
        </h2>
        {isDone && (
          <Text size="sm" c="dimmed" component="div">
            {summary}
          </Text>
        )}
        {isCurrent && (
          <Text size="sm" c="dimmed">
            {text}
          </Text>
        )}
        {(isCurrent || isOpen) && <div className={classes.content}>{children}</div>}
      </div>
    </li>
  );
}
