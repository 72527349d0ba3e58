import type { ValueType } from "../api/types.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import type { SchemaCheck } from "../json/schema-check.ts";
import { RowsEditor } from "../rows/RowsEditor.tsx";
import { newVariantInput, type VariantInput } from "./variant-input.ts";
import { VariantRow } from "./VariantRow.tsx";

/** The maximum number of variants of a flag. The API rejects more. */
const MAX = 50;

interface Props {
  type: ValueType;
  value: readonly VariantInput[];
  onChange: (value: VariantInput[]) => void;
  withDescriptions?: boolean;
  check?: SchemaCheck | undefined;
  failures: number;
}

/** An editor for the variants of a flag that is not boolean. */
export function VariantsEditor(props: Props) {
  const { type, value, onChange, withDescriptions = false, check, failures } = props;
  const { t } = useTranslation();
  return (
    <RowsEditor
      rows={value}
      onChange={onChange}
      newRow={newVariantInput}
      add={t("variants.add")}
      max={MAX}
      full={t("variants.full", { count: MAX })}
      failures={failures}
    >
      {(variant, { number, onChange: change, onRemove }) => (
        <VariantRow
          number={number}
          type={type}
          variant={variant}
          onChange={change}
          onRemove={value.length > 1 ? onRemove : undefined}
          withDescription={withDescriptions}
          check={check}
        />
      )}
    </RowsEditor>
  );
}
