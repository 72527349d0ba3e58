import { Button, VisuallyHidden } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "../i18n/use-translation.ts";
import classes from "./Diff.module.css";
import { type DiffLine, type Gap, withGaps } from "./line-diff.ts";

/** The most lines that are shown until the user expands the others. */
const MAX_LINES = 24;

/**
 * The lines of a JSON value, or of the differences of two JSON values. Of many lines, shows only
 * the changed ones with the lines around them. The user can expand all lines.
 */
export function JsonLines({ lines }: { lines: readonly DiffLine[] }) {
  const { t } = useTranslation();
  const [isExpanded, setExpanded] = useState(false);
  const isDiff = lines.some(({ sign }) => sign !== " ");
  const short = (isDiff ? withGaps(lines) : lines).slice(0, MAX_LINES);
  const isShortened = short.length < lines.length || short.some((line) => "hidden" in line);
  return (
    <div>
      <pre className={classes.json} data-diff={isDiff || undefined}>
        {(isExpanded ? lines : short).map((line, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the lines of an audit record do not change
          <Line key={index} line={line} />
        ))}
      </pre>
      {isShortened && (
        <Button
          variant="subtle"
          size="compact-sm"
          aria-expanded={isExpanded}
          onClick={() => setExpanded(!isExpanded)}
        >
          {isExpanded ? t("common.showLess") : t("history.showLines", { count: lines.length })}
        </Button>
      )}
    </div>
  );
}

function Line({ line }: { line: DiffLine | Gap }) {
  const { t } = useTranslation();
  if ("hidden" in line)
    return (
      <span className={classes.line} data-sign="…">
        {t("history.hiddenLines", { count: line.hidden })}
      </span>
    );
  const { sign, text } = line;
  if (sign === " ") return <span className={classes.line}>{text}</span>;
  const Element = sign === "−" ? "del" : "ins";
  return (
    <Element className={classes.line} data-sign={sign}>
      <VisuallyHidden>{t(sign === "−" ? "history.before" : "history.after")} </VisuallyHidden>
      {text}
    </Element>
  );
}
