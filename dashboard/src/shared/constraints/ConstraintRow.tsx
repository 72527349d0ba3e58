import {
  Checkbox,
  Select,
  Text,
  VisuallyHidden,
  Autocomplete,
  type OptionsFilter,
} from "@mantine/core";
import { IconCopy, IconTrash } from "@tabler/icons-react";
import { type FocusEvent, useState } from "react";
import type { Constraint, ContextDefinition } from "../api/types.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { IconButton } from "../ui/IconButton.tsx";
import { isSame, operatorChoicesOf, withField, withOperator, withType } from "./edit-constraint.ts";
import { validateConstraint } from "./validate-constraints.ts";
import classes from "./ConstraintRow.module.css";
import { type OperatorChoice, operatorChoiceOf } from "./operator-choice.ts";
import { typeOptions, typeText } from "./type-text.ts";
import { ValuesInput } from "./ValuesInput.tsx";
import { operatorText } from "./constraint-text.ts";

interface Props {
  /** The position of the constraint in the list, starting at 1. */
  number: number;
  constraint: Constraint;
  onChange: (constraint: Constraint) => void;
  /** Adds a copy to the list. Undefined if the list already has the maximum length. */
  onDuplicate: (() => void) | undefined;
  onRemove: () => void;
  /** Undefined while they load. */
  definitions: readonly ContextDefinition[] | undefined;
  /** Values that other constraints on the field use, which the input of the values suggests. */
  usedValues: readonly string[];
  /** The server's messages by path within the constraint, such as `values.0`. */
  fieldErrors: Readonly<Record<string, string>>;
}

/** The number of values above which they have a line of their own. */
const MANY = 8;

const toValue = ({ base, isNegated }: OperatorChoice) => `${isNegated ? "not " : ""}${base}`;

export function ConstraintRow(props: Props) {
  const { number, constraint, onChange, onDuplicate, onRemove, definitions = [] } = props;
  const { t } = useTranslation();
  const { errorTexts, onFocus, onBlur } = useErrorTexts(constraint, props.fieldErrors);
  const { field, contextType, caseInsensitive = false } = constraint;
  const definition = definitions.find(({ contextKey }) => contextKey === field);
  const current = operatorChoiceOf(constraint);
  const choices = operatorChoicesOf(contextType);
  // If the constraint has an operator that the editor does not offer for the type, add the operator
  // to the choices, so that it stays selected.
  if (!choices.some((choice) => isSame(choice, current))) choices.push(current);
  const isDefinedType = definition?.contextType === contextType;
  const valueErrors = Object.keys(errorTexts).filter((path) => path.startsWith("values"));

  return (
    <fieldset className={classes.row} data-many={constraint.values.length > MANY || undefined}>
      <VisuallyHidden component="legend">{t("constraints.nth", { number })}</VisuallyHidden>
      <div className={classes.field}>
        <FieldInput
          value={field}
          onChange={(key) => {
            const selected = definitions.find(({ contextKey }) => contextKey === key);
            onChange(withField(constraint, key, selected));
          }}
          definitions={definitions}
          error={errorTexts["field"]}
          title={isDefinedType ? `${definition.name} · ${typeText(t, contextType)}` : undefined}
        />
      </div>
      {/* The type follows from the context definition, if the field has one. Most fields have one. */}
      {props.definitions && !isDefinedType && (
        <Select
          className={classes.type ?? ""}
          aria-label={t("constraints.type")}
          data={typeOptions(t, contextType)}
          value={contextType}
          onChange={(type) => type !== null && onChange(withType(constraint, type))}
          allowDeselect={false}
          error={errorTexts["contextType"]}
        />
      )}
      <Select
        className={classes.operator ?? ""}
        aria-label={t("constraints.operator")}
        data={choices.map((choice) => ({
          value: toValue(choice),
          label: operatorText(t, contextType, choice),
        }))}
        value={toValue(current)}
        onChange={(name) => {
          const choice = choices.find((each) => toValue(each) === name);
          if (choice) onChange(withOperator(constraint, choice));
        }}
        allowDeselect={false}
        maxDropdownHeight={320}
        error={errorTexts["operator"]}
      />
      <div className={classes.values} onFocus={onFocus} onBlur={onBlur}>
        <ValuesInput
          constraint={constraint}
          onChange={(values) => onChange({ ...constraint, values })}
          definitionId={isDefinedType ? definition.id : undefined}
          usedValues={props.usedValues}
          error={
            valueErrors.length > 0
              ? valueErrors.map((path) => errorTexts[path]).join(" ")
              : undefined
          }
        />
      </div>
      {contextType === "string" && current.base !== "exists" && (
        <Checkbox
          size="xs"
          className={classes.option ?? ""}
          label={t("constraints.ignoreCase")}
          checked={caseInsensitive}
          onChange={({ currentTarget: { checked } }) => {
            const { caseInsensitive: _, ...rest } = constraint;
            onChange(checked ? { ...rest, caseInsensitive: true } : rest);
          }}
        />
      )}
      <div className={classes.actions}>
        {onDuplicate && (
          <IconButton label={t("constraints.duplicate", { number })} onClick={onDuplicate}>
            <IconCopy size={16} stroke={1.75} aria-hidden />
          </IconButton>
        )}
        <IconButton label={t("constraints.remove", { number })} data-remove onClick={onRemove}>
          <IconTrash size={16} stroke={1.75} aria-hidden />
        </IconButton>
      </div>
      {current.isNegated && current.base !== "exists" && (
        <Text size="xs" c="dimmed" className={classes.note}>
          {t("constraints.alsoWhenMissing")}
        </Text>
      )}
    </fieldset>
  );
}

/**
 * Returns the error messages of a constraint by path: errors that the server reported, translated
 * where possible, and errors of values that the editor found. The editor's errors are hidden while
 * the focus is in an input for the values.
 */
function useErrorTexts(constraint: Constraint, given: Readonly<Record<string, string>>) {
  const { t } = useTranslation();
  const [isTyping, setTyping] = useState(false);
  const own = validateConstraint(t, constraint);
  // A new constraint has no values yet. This error is displayed only after the server's response.
  const isVisible = (path: string) =>
    path.startsWith("values.") || (path === "values" && constraint.values.length > 0);
  const visible = Object.entries(own).filter(([path]) => isVisible(path) && !isTyping);
  const reported = Object.entries(given).map(([path, text]) => [path, own[path] ?? text]);
  return {
    errorTexts: { ...Object.fromEntries(visible), ...Object.fromEntries(reported) } as Record<
      string,
      string
    >,
    onFocus: () => setTyping(true),
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
      if (!currentTarget.contains(relatedTarget)) setTyping(false);
    },
  };
}

interface FieldInputProps {
  value: string;
  onChange: (field: string) => void;
  definitions: readonly ContextDefinition[];
  error: string | undefined;
  /** Shown while the mouse is over the input. */
  title?: string | undefined;
}

/** Suggests the project's context definitions, and accepts any other name. */
function FieldInput({ value, onChange, definitions, error, title }: FieldInputProps) {
  const { t } = useTranslation();
  const names = new Map(definitions.map(({ contextKey, name }) => [contextKey, name]));
  const isChosen = names.has(value);
  const filter: OptionsFilter = ({ options, search }) => {
    // Show all suggestions while the input contains a suggested name, so that the user can choose
    // another suggested name.
    if (isChosen) return options;
    const query = search.trim().toLowerCase();
    return options.filter(
      (option) =>
        "value" in option &&
        `${option.value}\n${names.get(option.value) ?? ""}`.toLowerCase().includes(query),
    );
  };
  return (
    <Autocomplete
      aria-label={t("constraints.field")}
      placeholder={t("constraints.field")}
      {...(title !== undefined && { title })}
      value={value}
      onChange={onChange}
      data={[...names.keys()]}
      filter={filter}
      limit={100}
      maxLength={200}
      error={error}
      spellCheck={false}
      autoCapitalize="off"
      renderOption={({ option }) => (
        <div>
          <Text size="sm">{names.get(option.value)}</Text>
          <Text size="xs" c="dimmed" ff="monospace">
            {option.value}
          </Text>
        </div>
      )}
    />
  );
}
