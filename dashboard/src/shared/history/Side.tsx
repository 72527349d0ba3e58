import { VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "../i18n/use-translation.ts";
import classes from "./Diff.module.css";

interface Props {
  sign: "−" | "+";
  /** The meaning of the sign, for screen readers. */
  hint: string;
  children: ReactNode;
}

/** A value before (−) or after (+) a change. The sign repeats the meaning of the colour. */
export function Side({ sign, hint, children }: Props) {
  const Element = sign === "−" ? "del" : "ins";
  return (
    <Element className={`${classes.side} ${sign === "−" ? classes.removed : classes.added}`}>
      <span className={classes.sign} aria-hidden>
        {sign}
      </span>
      <VisuallyHidden>{hint} </VisuallyHidden>
      <div>{children}</div>
    </Element>
  );
}

interface SidesProps<T> {
  before: T | undefined;
  after: T | undefined;
  children: (value: T) => ReactNode;
}

/** A value before and after a change. Undefined: there was no value. */
export function Sides<T>({ before, after, children }: SidesProps<T>) {
  const { t } = useTranslation();
  return (
    <>
      {before !== undefined && (
        <Side sign="−" hint={t("history.before")}>
          {children(before)}
        </Side>
      )}
      {after !== undefined && (
        <Side sign="+" hint={t("history.after")}>
          {children(after)}
        </Side>
      )}
    </>
  );
}
