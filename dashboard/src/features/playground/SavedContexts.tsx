import { ActionIcon, Button, Group, Popover, Text, TextInput } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import type { EvaluationContext } from "@feature-flags/evaluation/rule";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import classes from "./SavedContexts.module.css";
import { isContext } from "./search-params.ts";

interface Props {
  /** The evaluation context to save. Undefined while the JSON text is invalid. */
  context: EvaluationContext | undefined;
  onLoad: (context: EvaluationContext) => void;
}

/** Lists the evaluation contexts that this browser has saved, and saves the current one. */
export function SavedContexts({ context, onLoad }: Props) {
  const { t } = useTranslation();
  const notify = useNotify();
  const { saved, save, remove } = useSavedContexts(useProjectId());
  const [opened, setOpened] = useState(false);
  const [name, setName] = useState("");
  const trimmed = name.trim();

  return (
    <Popover opened={opened} onChange={setOpened} width={280} position="bottom-start" trapFocus>
      <Popover.Target>
        <Button size="compact-sm" variant="default" onClick={() => setOpened(!opened)}>
          {t("playground.saved")}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t("playground.savedContexts")}>
        {saved.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t("playground.nothingSaved")}
          </Text>
        ) : (
          <ul className={classes.list}>
            {saved.map((entry) => (
              <li key={entry.name} className={classes.item}>
                <Button
                  variant="subtle"
                  size="compact-sm"
                  justify="flex-start"
                  className={classes.name}
                  onClick={() => {
                    onLoad(entry.context);
                    setOpened(false);
                  }}
                >
                  <span className={classes.words}>{entry.name}</span>
                </Button>
                <ActionIcon
                  aria-label={t("playground.removeSaved", { name: entry.name })}
                  onClick={() => remove(entry.name)}
                >
                  <IconTrash size={16} stroke={1.75} aria-hidden />
                </ActionIcon>
              </li>
            ))}
          </ul>
        )}
        <form
          className={classes.form}
          onSubmit={(event) => {
            event.preventDefault();
            if (!context || trimmed === "") return;
            save(trimmed, context);
            notify.done(t("playground.contextSaved", { name: trimmed }));
            setName("");
            setOpened(false);
          }}
        >
          <TextInput
            label={t("playground.saveAs")}
            size="xs"
            maxLength={60}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <Group justify="flex-end" mt="xs">
            <Button type="submit" size="xs" disabled={!context || trimmed === ""}>
              {t("common.save")}
            </Button>
          </Group>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}

interface SavedContext {
  readonly name: string;
  readonly context: EvaluationContext;
}

/**
 * The maximum number of evaluation contexts that a browser saves per project, because local storage
 * is small and a longer list is hard to use. Saving one more drops the oldest evaluation context.
 */
const MAX_SAVED = 50;

const NONE: readonly SavedContext[] = [];

/** The contexts saved in this browser, newest first, and functions that change them. */
function useSavedContexts(projectId: number) {
  const [saved, setSaved] = useLocalStorage<readonly SavedContext[]>({
    key: `feature-flags.contexts.${projectId}`,
    defaultValue: NONE,
    getInitialValueInEffect: false,
    deserialize: parse,
  });
  const without = (name: string) => saved.filter((entry) => entry.name !== name);
  return {
    saved,
    /** Saves an evaluation context. Replaces the saved evaluation context of the same name. */
    save: (name: string, context: EvaluationContext) =>
      setSaved([{ name, context }, ...without(name)].slice(0, MAX_SAVED)),
    remove: (name: string) => setSaved(without(name)),
  };
}

/** Drops invalid entries: anybody with access to the browser may have changed this text. */
function parse(text: string | undefined): SavedContext[] {
  try {
    const value: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(value) ? value.filter(isSaved) : [];
  } catch {
    return [];
  }
}

const isSaved = (value: unknown): value is SavedContext =>
  isContext(value) && typeof value["name"] === "string" && isContext(value["context"]);
