import { Button, VisuallyHidden } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "../i18n/use-translation.ts";
import { formatJson } from "../json/parse-json.ts";
import classes from "./Diff.module.css";
import { Sides } from "./Side.tsx";
import { type DiffLine, type Gap, withGaps, lineDiff } from "./line-diff.ts";
import { exactPart } from "./shortened.ts";
import { WithOmitted } from "./WithOmitted.tsx";

/** A JSON value from an audit record: on one line if it is short. */
export function JsonText({ recorded }: { recorded: unknown }) {
  const { value, omitted } = exactPart(recorded);
  const shown = isShort(value) ? (
    <code>{JSON.stringify(value)}</code>
  ) : (
    <JsonLines
      lines={formatJson(value)
        .split("\n")
        .map((text) => ({ sign: " ", text }))}
    />
  );
  return <WithOmitted omitted={omitted}>{value !== undefined && shown}</WithOmitted>;
}

/** The most characters of a JSON value on one line. */
const MAX_CHARACTERS = 80;

/** Whether a JSON value is shown on one line. */
const isShort = (value: unknown): boolean =>
  value === undefined || JSON.stringify(value).length <= MAX_CHARACTERS;

/** The most lines that are shown until the user expands the others. */
const MAX_LINES = 24;

/**
 * The lines of a JSON value, or of the differences of two JSON values. Of many lines, shows only
 * the changed ones with the lines around them. The user can expand all lines.
 */
function JsonLines({ lines }: { lines: readonly DiffLine[] }) {
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

interface Props {
  /** JSON values from an audit record. Undefined: no value. */
  before: unknown;
  after: unknown;
}

/** Short values are in one line each. Of long values, shows the differences by line. */
export function JsonChange({ before, after }: Props) {
  const [old, current] = [exactPart(before), exactPart(after)];
  const isInBoth = old.value !== undefined && current.value !== undefined;
  if (isInBoth && !(isShort(old.value) && isShort(current.value)))
    return (
      <WithOmitted omitted={[...old.omitted, ...current.omitted]}>
        <JsonLines lines={lineDiff(formatJson(old.value), formatJson(current.value))} />
      </WithOmitted>
    );
  return (
    <Sides before={before} after={after}>
      {(value) => <JsonText recorded={value} />}
    </Sides>
  );
}
