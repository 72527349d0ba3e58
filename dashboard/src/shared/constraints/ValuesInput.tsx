import { Autocomplete, Pill, Select, TagsInput, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { parseDate } from "@feature-flags/evaluation/parse";
import type { Constraint } from "../api/types.ts";
import { contextValuesQuery } from "../data/project-lists.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { takesManyValues } from "./edit-constraint.ts";
import classes from "./ConstraintRow.module.css";
import { operatorChoiceOf } from "./operator-choice.ts";

interface Props {
  constraint: Constraint;
  onChange: (values: string[]) => void;
  /** The context definition whose known values the input suggests. */
  definitionId: number | undefined;
  /** Values that other constraints on the field use. Suggested after the known values. */
  usedValues: readonly string[];
  error: string | undefined;
}

/** The maximum number of suggestions that the input shows at once. */
const MAX_SUGGESTIONS = 100;

/**
 * An input for the values of a constraint. The operator and the context type decide the kind of
 * input: for several values, one value, a boolean, a date, or no value. Suggests the known values
 * of the context definition, then the values of other constraints.
 */
export function ValuesInput({ constraint, onChange, definitionId, usedValues, error }: Props) {
  const { t } = useTranslation();
  // A page may have many inputs, so each loads its suggestions only when it takes the focus.
  const [wasFocused, setWasFocused] = useState(false);
  const { data: known = [] } = useQuery({
    ...contextValuesQuery(definitionId ?? 0),
    enabled: wasFocused && definitionId !== undefined,
  });
  const { values, contextType } = constraint;
  const choice = operatorChoiceOf(constraint);
  const [value = ""] = values;
  const change = (text: string | null) => onChange(text === null || text === "" ? [] : [text]);

  if (choice.base === "exists" && values.length === 0)
    return (
      <Text size="sm" c="dimmed" className={classes.noValue}>
        {t("constraints.noValueNeeded")}
      </Text>
    );

  const knownValues = new Set(known.map((each) => each.value));
  const otherValues = usedValues.filter((used) => !knownValues.has(used));
  const descriptions = new Map([
    ...known.map((each) => [each.value, each.description] as const),
    ...otherValues.map((used) => [used, t("constraints.used")] as const),
  ]);
  const common = {
    error,
    data: [...descriptions.keys()],
    limit: MAX_SUGGESTIONS,
    onFocus: () => setWasFocused(true),
    spellCheck: false,
    autoCapitalize: "off",
    ...(contextType === "number" && { inputMode: "decimal" as const }),
    renderOption: ({ option }: { option: { value: string } }) => (
      <div>
        <Text size="sm">{option.value}</Text>
        <Text size="xs" c="dimmed">
          {descriptions.get(option.value)}
        </Text>
      </div>
    ),
  };
  const isMany = takesManyValues(choice) && contextType !== "boolean";
  if (isMany || values.length > 1)
    return (
      <TagsInput
        {...common}
        aria-label={t("constraints.values")}
        placeholder={t(values.length > 0 ? "constraints.moreValuesHint" : "constraints.valuesHint")}
        value={values}
        onChange={onChange}
        // A comma or semicolon does not end a regular expression, because the expression may
        // contain them.
        splitChars={choice.base === "matches" ? [] : [",", ";", "\n"]}
        isDuplicate={(text, current) => current.includes(text)}
        classNames={{ pillsList: classes.pills ?? "" }}
        renderPill={({ value: text, onRemove }) => (
          <Pill
            withRemoveButton
            {...(onRemove && { onRemove })}
            // Show the remove button of a value to assistive technology. Mantine hides the button,
            // but Backspace alone is not enough for users of a screen reader.
            removeButtonProps={{
              "aria-label": t("constraints.removeValue", { value: text }),
              "aria-hidden": false,
            }}
          >
            {text}
          </Pill>
        )}
      />
    );
  if (contextType === "boolean" && ["", "true", "false"].includes(value))
    return (
      <Select
        aria-label={t("constraints.value")}
        placeholder={t("constraints.value")}
        data={[
          { value: "true", label: t("constraints.true") },
          { value: "false", label: t("constraints.false") },
        ]}
        value={value === "" ? null : value}
        onChange={change}
        allowDeselect={false}
        error={error}
      />
    );
  if (contextType === "date" && (value === "" || parseDate(value) !== undefined))
    return <DateInput value={value} onChange={change} error={error} />;
  return (
    <Autocomplete
      {...common}
      aria-label={t("constraints.value")}
      placeholder={t("constraints.value")}
      value={value}
      onChange={change}
      // Show all suggestions while the input contains a suggested value, so that the user can
      // choose another suggested value.
      {...(descriptions.has(value) && { filter: ({ options }) => options })}
    />
  );
}

interface DateInputProps {
  /** The date and time in ISO 8601, or an empty text for none. */
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}

/** The browser's native date and time input, in UTC, whatever the browser's time zone. */
function DateInput({ value, onChange, error }: DateInputProps) {
  const { t } = useTranslation();
  return (
    <TextInput
      type="datetime-local"
      step="any"
      aria-label={t("constraints.value")}
      value={toLocal(value)}
      onChange={({ currentTarget }) =>
        onChange(currentTarget.value === "" ? "" : `${currentTarget.value}Z`)
      }
      rightSection={
        <Text size="xs" c="dimmed">
          UTC
        </Text>
      }
      rightSectionWidth={44}
      error={error}
    />
  );
}

/**
 * Formats a time in ISO 8601 for an `<input type="datetime-local">`: in UTC, without a time zone,
 * and without seconds if they are zero. Returns an empty text if the time cannot be parsed.
 */
function toLocal(value: string): string {
  const time = parseDate(value);
  if (time === undefined) return "";
  return new Date(time).toISOString().replace(/(:00)?\.000Z$|Z$/, "");
}
