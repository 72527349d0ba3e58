import { Button } from "@mantine/core";
import { useState } from "react";
import { useFormat } from "../i18n/use-format.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { CodeBlock } from "../ui/CodeBlock.tsx";
import { beginningOf } from "./json-text.ts";
import { formatJson } from "./parse-json.ts";

interface Props {
  value: unknown;
  /** The accessible name of the code block. */
  label: string;
}

/** A value as readable JSON. Of a long value, shows the beginning, until the user expands it. */
export const JsonValue = ({ value, label }: Props) => (
  <LongText text={formatJson(value)} label={label} />
);

/** A text in a code block. Of a long text, shows the beginning, until the user expands it. */
export function LongText({ text, label }: { text: string } & Pick<Props, "label">) {
  const { t } = useTranslation();
  const { bytes } = useFormat();
  const [isExpanded, setExpanded] = useState(false);
  const beginning = beginningOf(text);
  return (
    <div>
      <CodeBlock label={label}>
        {isExpanded || beginning === undefined ? text : `${beginning} …`}
      </CodeBlock>
      {beginning !== undefined && (
        <Button
          variant="subtle"
          size="compact-sm"
          mt={4}
          aria-expanded={isExpanded}
          onClick={() => setExpanded(!isExpanded)}
        >
          {isExpanded
            ? t("common.showLess")
            : t("common.showAll", { size: bytes(new Blob([text]).size) })}
        </Button>
      )}
    </div>
  );
}
