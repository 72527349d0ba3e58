import { findOperator } from "@feature-flags/evaluation/operators";
import { Re2Pool } from "@feature-flags/evaluation/regex";
import { ActionIcon, Autocomplete, Button } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ContextDefinition } from "../../shared/api/types.ts";
import { contextValuesQuery } from "../../shared/data/project-lists.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import classes from "./ContextCard.module.css";
import { type ContextRow, customRow, textOf, valueOf } from "./context-rows.ts";

interface Props {
  rows: readonly ContextRow[];
  definitions: readonly ContextDefinition[];
  /** Values from the rules of the flags, by context field. */
  suggestedValues: ReadonlyMap<string, readonly string[]>;
  onChange: (rows: ContextRow[]) => void;
}

/** Without a portal, the suggestions stay in the ARIA landmark of their input. */
const NO_PORTAL = { withinPortal: false };

/**
 * Renders one row for each context field. A field without a value is not part of the evaluation
 * context.
 */
export function ContextFields({ rows, definitions, suggestedValues, onChange }: Props) {
  const { t } = useTranslation();
  const replace = (changed: ContextRow) =>
    onChange(rows.map((row) => (row.id === changed.id ? changed : row)));
  const shown = new Set(rows.filter(({ isCustom }) => !isCustom).map(({ key }) => key));
  const others = definitions.map(({ contextKey }) => contextKey).filter((key) => !shown.has(key));

  return (
    <div className={classes.rows}>
      {rows.map((row) =>
        row.isCustom ? (
          <div key={row.id} className={classes.free}>
            <Autocomplete
              aria-label={t("playground.fieldName")}
              placeholder={t("playground.fieldName")}
              data={others}
              limit={50}
              comboboxProps={NO_PORTAL}
              value={row.key}
              error={isDuplicate(rows, row) && t("playground.twice")}
              onChange={(key) => replace({ ...customRow(definitions, key, row.value), id: row.id })}
            />
            <ValueInput
              name={t("playground.valueOf", { field: row.key })}
              row={row}
              suggested={suggestedValues.get(row.key)}
              onChange={replace}
            />
            <ActionIcon
              size="input-sm"
              aria-label={t("playground.removeField", { field: row.key })}
              onClick={() => onChange(rows.filter(({ id }) => id !== row.id))}
            >
              <IconX size={16} stroke={1.75} aria-hidden />
            </ActionIcon>
          </div>
        ) : (
          <div key={row.id} className={classes.described}>
            <FieldLabel row={row} htmlFor={`context-${row.id}`} />
            <ValueInput
              id={`context-${row.id}`}
              row={row}
              suggested={suggestedValues.get(row.key)}
              onChange={replace}
            />
          </div>
        ),
      )}
      <div>
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />}
          onClick={() => onChange([...rows, customRow(definitions)])}
        >
          {t("playground.addField")}
        </Button>
      </div>
    </div>
  );
}

/** The evaluation context takes the value of the last row with the same field. */
const isDuplicate = (rows: readonly ContextRow[], { id, key }: ContextRow): boolean =>
  key !== "" && rows.some((other) => other.key === key && other.id !== id);

function FieldLabel({ row: { key, definition }, htmlFor }: { row: ContextRow; htmlFor: string }) {
  return (
    <label htmlFor={htmlFor} className={classes.label}>
      {definition?.name ?? key}
      {definition && definition.name !== key && <span className={classes.key}>{key}</span>}
    </label>
  );
}

interface ValueProps {
  row: ContextRow;
  suggested: readonly string[] | undefined;
  onChange: (row: ContextRow) => void;
  /** The id of the input element, to which the visible label of the row refers. */
  id?: string;
  /** The accessible name of an input that has no visible label. */
  name?: string;
}

function ValueInput({ row, suggested, onChange, id, name }: ValueProps) {
  const { t } = useTranslation();
  // Load the known values of a context field only when its input has taken the focus, because a
  // project may have many context fields.
  const [wasFocused, setWasFocused] = useState(false);
  const { definition } = row;
  const { data: known = [] } = useQuery({
    ...contextValuesQuery(definition?.id ?? 0),
    enabled: wasFocused && definition !== undefined,
  });
  const suggestions =
    definition?.contextType === "boolean"
      ? ["true", "false"]
      : [...new Set([...known.map(({ value }) => value), ...(suggested ?? [])])];
  const mismatch = definition && typeMismatch(row.value, definition.contextType);

  return (
    <Autocomplete
      {...(id !== undefined && { id })}
      aria-label={name}
      placeholder={t("playground.notSent")}
      data={suggestions}
      limit={50}
      comboboxProps={NO_PORTAL}
      value={textOf(row.value)}
      error={mismatch && t("playground.typeMismatch", { type: t(`constraints.types.${mismatch}`) })}
      onFocus={() => setWasFocused(true)}
      onChange={(text) => onChange({ ...row, value: valueOf(text, definition?.contextType) })}
    />
  );
}

/** The context types that reject some texts. `string` accepts every text. */
const STRICT_TYPES = ["number", "boolean", "date", "semver", "ip"] as const;

/**
 * Returns the type of a context field if the value cannot be parsed as this type. A comparison such
 * as `gte` never holds for such a value. Returns undefined if the value is valid.
 */
function typeMismatch(
  value: unknown,
  contextType: string,
): (typeof STRICT_TYPES)[number] | undefined {
  if (value === undefined) return undefined;
  const type = STRICT_TYPES.find((strict) => strict === contextType);
  const equals = type && findOperator(type, "equals")?.operator;
  const compiled = equals?.compile([textOf(value)], false, new Re2Pool(), "");
  return Array.isArray(compiled) ? type : undefined;
}
