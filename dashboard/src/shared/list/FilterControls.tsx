import { Button, Combobox, Menu, UnstyledButton, useCombobox } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "../i18n/use-translation.ts";
import classes from "./FilterBar.module.css";

interface Option {
  value: string;
  label: string;
}

export interface Filter {
  /** The visible name, which is unique in the bar. */
  label: string;
  /** The values to choose from. Undefined for a filter that is only set or not set. */
  options?: readonly (Option | { group: string; items: readonly Option[] })[];
  /** Whether the options still load. */
  isLoading?: boolean;
  /** Undefined if the filter is not set. A list for a filter that may have several values. */
  value: string | readonly string[] | undefined;
  /** Gets the chosen value, which a filter with several values adds or removes. Undefined: no value. */
  onChange: (value: string | undefined) => void;
}

interface Props {
  filters: readonly Filter[];
  /** Removes all filters. Undefined if none is set. */
  onClear: (() => void) | undefined;
  /** Called when the user opens the menu of filters, so that the page can load their options. */
  onOpen?: () => void;
  /** Further inputs of a filter, such as the days of a period. */
  children?: ReactNode;
}

/**
 * The button that adds a filter, and a chip for each filter that is set: the chip's text changes the
 * filter, and its cross removes it.
 */
export function FilterControls({ filters, onClear, onOpen, children }: Props) {
  const { t } = useTranslation();
  const [edited, setEdited] = useState<string>();
  // The chip of a chosen value stays in place until the URL has the value.
  const [latest, setLatest] = useState<string>();
  const add = useRef<HTMLButtonElement>(null);
  const chips = filters.filter(({ label, value }) => isSet(value) || label === latest);
  const others = filters.filter((filter) => !chips.includes(filter) || Array.isArray(filter.value));
  const focusAdd = () => add.current?.focus();
  return (
    <>
      <Menu position="bottom-start" returnFocus={false} {...(onOpen && { onOpen })}>
        <Menu.Target>
          <Button
            ref={add}
            variant="default"
            disabled={others.length === 0}
            leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />}
          >
            {t("filters.add")}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {others.map(({ label, options, onChange }) => (
            <Menu.Item
              key={label}
              onClick={() => {
                if (options) {
                  setLatest(label);
                  setEdited(label);
                } else {
                  onChange("true");
                  focusAdd();
                }
              }}
            >
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {chips.map((filter) => (
        <Chip
          key={filter.label}
          filter={filter}
          isEdited={filter.label === edited}
          onEdit={() => setEdited(filter.label)}
          onEnd={() => setEdited(undefined)}
          onRemoved={() => {
            setLatest(undefined);
            focusAdd();
          }}
        />
      ))}
      {children}
      {onClear && (
        <Button
          variant="subtle"
          px="xs"
          onClick={() => {
            onClear();
            setLatest(undefined);
            focusAdd();
          }}
        >
          {t("filters.clear")}
        </Button>
      )}
    </>
  );
}

const chosenOf = (value: Filter["value"]): readonly string[] =>
  value === undefined ? [] : typeof value === "string" ? [value] : value;

const isSet = (value: Filter["value"]): boolean => chosenOf(value).length > 0;

interface ChipProps {
  filter: Filter;
  /** Whether the list of values is open. */
  isEdited: boolean;
  onEdit: () => void;
  onEnd: () => void;
  /** Called when the chip disappears, to move the focus. */
  onRemoved: () => void;
}

/** The number of options above which the list of values has a search box. */
const SEARCHABLE = 8;

function Chip({ filter, isEdited, onEdit, onEnd, onRemoved }: ChipProps) {
  const { t } = useTranslation();
  const { label, options, value, onChange } = filter;
  const [query, setQuery] = useState("");
  const button = useRef<HTMLButtonElement>(null);
  const all = (options ?? []).flatMap((option) => ("group" in option ? option.items : [option]));
  const isSearchable = all.length > SEARCHABLE;
  const end = () => {
    if (!isEdited) return;
    setQuery("");
    onEnd();
    if (!isSet(value)) onRemoved();
    else button.current?.focus();
  };
  const combobox = useCombobox({
    opened: isEdited,
    onOpenedChange: (opened) => (opened ? onEdit() : end()),
  });
  const { focusSearchInput, selectActiveOption, selectFirstOption } = combobox;
  // The list opens without a click on its button if the user has chosen the filter in the menu.
  useEffect(() => {
    if (!isEdited) return;
    if (isSearchable) focusSearchInput();
    else button.current?.focus();
    selectActiveOption();
  }, [isEdited, isSearchable, focusSearchInput, selectActiveOption]);

  const remove = () => {
    onChange(undefined);
    onRemoved();
  };
  const labels = chosenOf(value).map(
    (chosen) => all.find((option) => option.value === chosen)?.label ?? "…",
  );
  const text = labels.length === 0 ? "…" : labels.join(", ");
  const words = (
    <>
      <span className={classes.label}>{options ? `${label}: ` : label}</span>
      {options && <span className={classes.chosen}>{text}</span>}
    </>
  );
  return (
    <div className={classes.chip}>
      {options ? (
        <Combobox
          store={combobox}
          // In the landmark of the bar.
          withinPortal={false}
          width="max-content"
          position="bottom-start"
          onOptionSubmit={(chosen) => {
            onChange(chosen);
            setQuery("");
            onEnd();
            button.current?.focus();
          }}
        >
          <Combobox.Target targetType="button" withAriaAttributes>
            <UnstyledButton
              ref={button}
              className={classes.value}
              onClick={() => combobox.toggleDropdown()}
            >
              {words}
            </UnstyledButton>
          </Combobox.Target>
          <Combobox.Dropdown className={classes.dropdown}>
            {isSearchable && (
              <Combobox.Search
                aria-label={t("filters.search", { filter: label })}
                placeholder={t("common.search")}
                value={query}
                onChange={({ currentTarget }) => {
                  setQuery(currentTarget.value);
                  requestAnimationFrame(() => selectFirstOption());
                }}
              />
            )}
            <Combobox.Options
              className={classes.options}
              aria-label={label}
              aria-multiselectable={Array.isArray(value) || undefined}
            >
              <Options filter={filter} options={options} query={query} />
            </Combobox.Options>
          </Combobox.Dropdown>
        </Combobox>
      ) : (
        <span className={classes.value} style={{ alignContent: "center" }}>
          {words}
        </span>
      )}
      <UnstyledButton
        className={classes.remove}
        aria-label={t("filters.remove", { filter: label })}
        onClick={remove}
      >
        <IconX size={14} stroke={2} aria-hidden />
      </UnstyledButton>
    </div>
  );
}

interface OptionsProps {
  filter: Filter;
  options: NonNullable<Filter["options"]>;
  query: string;
}

function Options({ filter: { value, isLoading = false }, options, query }: OptionsProps) {
  const { t } = useTranslation();
  const matches = ({ label }: Option) => label.toLowerCase().includes(query.trim().toLowerCase());
  const render = (list: readonly Option[]) =>
    list.filter(matches).map((option) => (
      <Combobox.Option
        key={option.value}
        value={option.value}
        active={chosenOf(value).includes(option.value)}
        selected={chosenOf(value).includes(option.value)}
        fw={chosenOf(value).includes(option.value) ? 600 : undefined}
      >
        {option.label}
      </Combobox.Option>
    ));
  const found = options.flatMap((option) => {
    if (!("group" in option)) return render([option]);
    const items = render(option.items);
    return items.length === 0
      ? []
      : [
          <Combobox.Group key={option.group} label={option.group}>
            {items}
          </Combobox.Group>,
        ];
  });
  if (found.length > 0) return found;
  return <Combobox.Empty>{t(isLoading ? "common.loading" : "filters.nothing")}</Combobox.Empty>;
}
