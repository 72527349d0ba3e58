import { ActionIcon, Tooltip } from "@mantine/core";
import { IconHelp } from "@tabler/icons-react";
import { type ReactNode, useId } from "react";
import { useTranslation } from "../i18n/use-translation.ts";
import classes from "./HelpButton.module.css";

interface Props {
  /** What the hint is about, such as the label of an input. */
  about: string;
  children: ReactNode;
}

/**
 * A button that shows a hint while the mouse is above it or it has the focus, and at a tap. Screen
 * readers read the hint as the description of the button.
 */
export function HelpButton({ about, children }: Props) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <>
      <Tooltip
        label={children}
        multiline
        maw={320}
        openDelay={0}
        events={{ hover: true, focus: true, touch: true }}
      >
        <ActionIcon
          size={24}
          type="button"
          aria-label={t("flagPage.helpFor", { field: about })}
          aria-describedby={id}
        >
          <IconHelp size={16} stroke={1.75} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <span id={id} hidden>
        {children}
      </span>
    </>
  );
}

/** An input with a help button in the row of its label. */
export function WithHelp({ input, ...help }: Props & { input: ReactNode }) {
  return (
    <div className={classes.field}>
      {input}
      <div className={classes.place}>
        <HelpButton {...help} />
      </div>
    </div>
  );
}
