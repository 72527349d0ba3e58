import { Autocomplete, type OptionsFilter, Text } from "@mantine/core";
import type { ContextDefinition } from "../api/types.ts";
import { useTranslation } from "../i18n/use-translation.ts";

interface Props {
  value: string;
  onChange: (field: string) => void;
  definitions: readonly ContextDefinition[];
  error: string | undefined;
  /** Shown while the mouse is over the input. */
  title?: string | undefined;
}

/** Suggests the project's context definitions, and accepts any other name. */
export function FieldInput({ value, onChange, definitions, error, title }: Props) {
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
