import { ActionIcon, Button, Group, Popover, Text, TextInput } from "@mantine/core";
import { IconBookmark, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import type { EvaluationContext } from "@feature-flags/evaluation/rule";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { useSavedContexts } from "./saved-contexts.ts";
import classes from "./SavedContexts.module.css";

interface Props {
  /** The evaluation context to save. Undefined while the JSON text is invalid. */
  context: EvaluationContext | undefined;
  onLoad: (context: EvaluationContext) => void;
}

/**
 * A button that opens the list of evaluation contexts that are saved in this browser, and a form
 * that saves the current one under a name.
 */
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
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconBookmark size={16} stroke={1.75} aria-hidden />}
          onClick={() => setOpened(!opened)}
        >
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
