import { ActionIcon, Autocomplete, Button } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ContextDefinition } from "../../shared/api/types.ts";
import { contextValuesQuery } from "../../shared/data/contexts.ts";
import classes from "./ContextCard.module.css";
import { type ContextRow, freeRow, textOf, valueOf } from "./context-rows.ts";
import { typeMismatch } from "./type-mismatch.ts";

interface Props {
  rows: readonly ContextRow[];
  definitions: readonly ContextDefinition[];
  /** Values that rules name, by field. */
  named: ReadonlyMap<string, readonly string[]>;
  onChange: (rows: ContextRow[]) => void;
}

/** Suggestions are part of the page, and of its landmarks. */
const IN_PLACE = { withinPortal: false };

/** The context as a form. What is left empty is not sent. */
export function ContextFields({ rows, definitions, named, onChange }: Props) {
  const { t } = useTranslation();
  const replace = (changed: ContextRow) =>
    onChange(rows.map((row) => (row.id === changed.id ? changed : row)));
  const shown = new Set(rows.filter(({ isFree }) => !isFree).map(({ key }) => key));
  const others = definitions.map(({ contextKey }) => contextKey).filter((key) => !shown.has(key));

  return (
    <div className={classes.rows}>
      {rows.map((row) =>
        row.isFree ? (
          <div key={row.id} className={classes.free}>
            <Autocomplete
              aria-label={t("playground.fieldName")}
              placeholder={t("playground.fieldName")}
              data={others}
              limit={50}
              comboboxProps={IN_PLACE}
              value={row.key}
              error={isTwice(rows, row) && t("playground.twice")}
              onChange={(key) => replace({ ...freeRow(definitions, key, row.value), id: row.id })}
            />
            <ValueInput
              name={t("playground.valueOf", { field: row.key })}
              row={row}
              named={named.get(row.key)}
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
              named={named.get(row.key)}
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
          onClick={() => onChange([...rows, freeRow(definitions)])}
        >
          {t("playground.addField")}
        </Button>
      </div>
    </div>
  );
}

/** Two rows cannot both be sent: the last one is. */
const isTwice = (rows: readonly ContextRow[], { id, key }: ContextRow): boolean =>
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
  named: readonly string[] | undefined;
  onChange: (row: ContextRow) => void;
  /** Of the input: the label names it. */
  id?: string;
  /** Without a label. */
  name?: string;
}

function ValueInput({ row, named, onChange, id, name }: ValueProps) {
  const { t } = useTranslation();
  // A project has many values; those of a field are asked for when somebody goes there.
  const [isAsked, setIsAsked] = useState(false);
  const { definition } = row;
  const { data: known = [] } = useQuery({
    ...contextValuesQuery(definition?.id ?? 0),
    enabled: isAsked && definition !== undefined,
  });
  const suggestions =
    definition?.contextType === "boolean"
      ? ["true", "false"]
      : [...new Set([...known.map(({ value }) => value), ...(named ?? [])])];
  const missed = definition && typeMismatch(row.value, definition.contextType);

  return (
    <Autocomplete
      {...(id !== undefined && { id })}
      aria-label={name}
      placeholder={t("playground.notSent")}
      data={suggestions}
      limit={50}
      comboboxProps={IN_PLACE}
      value={textOf(row.value)}
      error={missed && t("playground.typeMissed", { type: t(`constraints.types.${missed}`) })}
      onFocus={() => setIsAsked(true)}
      onChange={(text) => onChange({ ...row, value: valueOf(text, definition?.contextType) })}
    />
  );
}
