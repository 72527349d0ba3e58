import { useTranslation } from "../i18n/use-translation.ts";
import { formatJson } from "../json/parse-json.ts";
import { JsonLines } from "./JsonLines.tsx";
import { isShort, JsonText } from "./JsonText.tsx";
import { lineDiff } from "./line-diff.ts";
import { exactPart } from "./shortened.ts";
import { Side } from "./Side.tsx";
import { WithOmitted } from "./WithOmitted.tsx";

interface Props {
  /** JSON values from an audit record. Undefined: no value. */
  before: unknown;
  after: unknown;
}

/**
 * A JSON value before and after a change. Shows short values in one line each, and otherwise the
 * differences by line.
 */
export function JsonChange({ before, after }: Props) {
  const { t } = useTranslation();
  const [old, current] = [exactPart(before), exactPart(after)];
  const isInBoth = old.value !== undefined && current.value !== undefined;
  if (isInBoth && !(isShort(old.value) && isShort(current.value)))
    return (
      <WithOmitted omitted={[...old.omitted, ...current.omitted]}>
        <JsonLines lines={lineDiff(formatJson(old.value), formatJson(current.value))} />
      </WithOmitted>
    );
  return (
    <>
      {before !== undefined && (
        <Side sign="−" hint={t("history.before")}>
          <JsonText recorded={before} />
        </Side>
      )}
      {after !== undefined && (
        <Side sign="+" hint={t("history.after")}>
          <JsonText recorded={after} />
        </Side>
      )}
    </>
  );
}
