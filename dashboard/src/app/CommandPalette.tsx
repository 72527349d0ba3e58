import { Modal, ScrollArea, Text, TextInput, UnstyledButton } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "../shared/i18n/use-translation.ts";
import classes from "./CommandPalette.module.css";
import type { PaletteItem } from "./palette-item.ts";
import { useCommandPaletteGroups } from "./use-command-palette-groups.ts";

/**
 * A pause that is longer than the one after which a closed dialog returns the focus, milliseconds.
 * Otherwise the focus would leave the next dialog.
 */
const FOCUS_RETURN_MS = 30;

interface Props {
  opened: boolean;
  onClose: () => void;
  onHelp: () => void;
  onNewFlag: () => void;
}

/** Ctrl K, on macOS ⌘ K: finds flags, pages, projects and actions, and opens the selected one. */
export function CommandPalette({ opened, onClose, onHelp, onNewFlag }: Props) {
  const { t } = useTranslation();
  const afterClose = useRef<() => unknown>(undefined);
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      size="lg"
      yOffset="10dvh"
      lockScroll={false}
      onExitTransitionEnd={() => {
        const { current: open } = afterClose;
        afterClose.current = undefined;
        if (open) setTimeout(open, FOCUS_RETURN_MS);
      }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label={t("shell.search")}>
        <PaletteSearch
          onLeave={(open) => {
            afterClose.current = open;
            onClose();
          }}
          onHelp={onHelp}
          onNewFlag={onNewFlag}
        />
      </Modal.Content>
    </Modal.Root>
  );
}

interface SearchProps extends Pick<Props, "onHelp" | "onNewFlag"> {
  /** Closes the palette, and calls `open` when it is closed. */
  onLeave: (open?: () => unknown) => void;
}

/**
 * The search input and the results of the command palette. They follow the combobox pattern of the
 * ARIA Authoring Practices. Mantine's Spotlight is not used, because it does not announce the
 * selected result to a screen reader, and it selects nothing when results arrive after the last key
 * press.
 */
function PaletteSearch({ onLeave, onHelp, onNewFlag }: SearchProps) {
  const { t } = useTranslation();
  const list = useId();
  const [query, setQuery] = useState("");
  const [selected, setSelected] = useState<string>();
  const { groups, isSearching } = useCommandPaletteGroups(query, { onHelp, onNewFlag });
  const targets = groups.flatMap((group) => group.targets);
  const at = Math.max(
    0,
    targets.findIndex(({ id }) => id === selected),
  );
  const current = targets[at];
  const optionId = (id: string) => `${list}-${id}`;

  const go = ({ open, opensDialog = false }: PaletteItem) => {
    if (opensDialog) {
      onLeave(open);
      return;
    }
    onLeave();
    open();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, nativeEvent } = event;
    if (nativeEvent.isComposing || !["ArrowDown", "ArrowUp", "Enter"].includes(key)) return;
    event.preventDefault();
    if (key === "Enter") {
      if (current) go(current);
      return;
    }
    const step = key === "ArrowDown" ? 1 : targets.length - 1;
    setSelected(targets[(at + step) % targets.length]?.id);
  };
  const currentId = current && optionId(current.id);
  useEffect(() => {
    if (currentId !== undefined)
      document.getElementById(currentId)?.scrollIntoView({ block: "nearest" });
  }, [currentId]);

  return (
    <>
      <TextInput
        data-autofocus
        size="lg"
        variant="unstyled"
        leftSection={<IconSearch size={18} stroke={1.75} aria-hidden />}
        role="combobox"
        aria-label={t("shell.search")}
        aria-autocomplete="list"
        aria-expanded={targets.length > 0}
        aria-controls={list}
        aria-activedescendant={currentId}
        placeholder={t("shell.searchHint")}
        value={query}
        onChange={({ currentTarget }) => {
          setQuery(currentTarget.value);
          setSelected(undefined);
        }}
        onKeyDown={onKeyDown}
      />
      <ScrollArea.Autosize mah="min(26rem, 60dvh)" type="auto" className={classes.found}>
        <div
          role="listbox"
          id={list}
          aria-label={t("shell.searchFound")}
          hidden={targets.length === 0}
          className={classes.list}
        >
          {groups.map(({ name, targets: options }, index) => (
            <div key={name} role="group" aria-labelledby={optionId(`group-${index}`)}>
              <div id={optionId(`group-${index}`)} className={classes.group}>
                {name}
              </div>
              {options.map((item) => {
                const { id, label, description, Icon, keys } = item;
                return (
                  <UnstyledButton
                    key={id}
                    id={optionId(id)}
                    role="option"
                    tabIndex={-1}
                    aria-selected={id === current?.id}
                    className={classes.option}
                    onClick={() => go(item)}
                  >
                    {Icon && <Icon size={18} stroke={1.75} aria-hidden />}
                    <span className={classes.words}>
                      {label}
                      {description !== undefined && (
                        <Text span size="xs" c="dimmed" ff="monospace">
                          {description}
                        </Text>
                      )}
                    </span>
                    {keys !== undefined && (
                      <Text span size="xs" c="dimmed" ml="auto" flex="none" aria-hidden>
                        {keys}
                      </Text>
                    )}
                  </UnstyledButton>
                );
              })}
            </div>
          ))}
        </div>
        {targets.length === 0 && (
          <Text c="dimmed" ta="center" p="md" role="status">
            {isSearching ? t("common.loading") : t("shell.searchEmpty")}
          </Text>
        )}
      </ScrollArea.Autosize>
    </>
  );
}
