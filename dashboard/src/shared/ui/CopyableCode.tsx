import { useTranslation } from "../i18n/use-translation.ts";
import { CodeBlock } from "./CodeBlock.tsx";
import { CopyText } from "./CopyText.tsx";
import classes from "./CopyableCode.module.css";

/** Code with a button that copies it. `name` is the accessible name of the code. */
export function CopyableCode({ name, code }: { name: string; code: string }) {
  const { t } = useTranslation();
  return (
    <div>
      <div className={classes.copy}>
        <CopyText size="compact-sm" value={code} text={t("start.copyCode")} />
      </div>
      <CodeBlock label={name}>{code}</CodeBlock>
    </div>
  );
}
