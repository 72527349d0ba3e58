import { Text, VisuallyHidden } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import classes from "./Steps.module.css";

interface Props {
  number: number;
  title: string;
  isDone: boolean;
  isCurrent: boolean;
  /** Whether the content of the step is shown even if the step is not the current one. */
  isOpen?: boolean;
  /** The result, such as the name of the created flag. Shown when the step is done. */
  summary: ReactNode;
  /** The explanation of the step. Shown while the step is the current one. */
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
  // When this step becomes the current one, focus its heading, because the focused button of the
  // previous step is gone.
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
