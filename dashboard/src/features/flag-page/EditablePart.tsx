import { Button, Group, Paper, Title } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef } from "react";
import { HelpButton } from "../../shared/ui/HelpButton.tsx";

interface Props {
  id: string;
  title: string;
  /** Explains the part in a sentence. */
  hint: ReactNode;
  /** The text of the edit button. */
  edit: string;
  /** Undefined if the user may not edit. */
  onEdit: (() => void) | undefined;
  isEditing: boolean;
  /** Replaces the part while the user edits it. */
  form: ReactNode;
  /** The part as it is displayed while nobody edits it. */
  children: ReactNode;
}

/** A section of the flag page that turns into a form when the user chooses to edit it. */
export function EditablePart(props: Props) {
  const { id, title, hint, edit, onEdit, isEditing, form, children } = props;
  const button = useRef<HTMLButtonElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const wasEditing = useRef(false);

  // Both the edit button and the form disappear when they are used, so the focus must move.
  useEffect(() => {
    if (isEditing) content.current?.querySelector<HTMLElement>("input, textarea, button")?.focus();
    else if (wasEditing.current) button.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);

  return (
    <section aria-labelledby={id}>
      <Group justify="space-between" gap="xs">
        <Group gap={4}>
          <Title order={2} size="h4" id={id}>
            {title}
          </Title>
          <HelpButton about={title}>{hint}</HelpButton>
        </Group>
        {onEdit && !isEditing && (
          <Button
            ref={button}
            variant="default"
            size="xs"
            flex="none"
            leftSection={<IconPencil size={16} stroke={1.75} aria-hidden />}
            onClick={onEdit}
          >
            {edit}
          </Button>
        )}
      </Group>
      <Paper withBorder radius="md" p="md" mt="sm" ref={content}>
        {isEditing ? form : children}
      </Paper>
    </section>
  );
}
