import { Button, Group, Paper, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPencil } from "@tabler/icons-react";
import { Fragment, type ReactNode, useEffect, useRef, useState } from "react";
import type { Flag } from "../../shared/api/types.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import { HelpButton } from "../../shared/ui/HelpButton.tsx";
import { useManagedFields } from "./use-managed-fields.ts";
import { ManagedMark, ManagedWarning } from "./Managed.tsx";

interface Props {
  flag: Flag;
  id: string;
  title: string;
  hint: ReactNode;
  /** The field of the flag that the part shows. */
  field: string;
  edit: string;
  /** Renders the form that replaces the part while the user edits it. */
  renderForm: (handlers: PartFormHandlers) => ReactNode;
  children: ReactNode;
}

export interface PartFormHandlers {
  readonly onDone: () => void;
  /** Resets the form to the saved values. */
  readonly onReload: () => void;
}

/** A section of the flag page that turns into a form when the user chooses to edit it. */
export function EditablePart({ flag, id, title, hint, field, edit, renderForm, children }: Props) {
  const canEdit = useCan("flag:write") && !flag.archived;
  const managed = useManagedFields(flag.id, null).get(field);
  const [isEditing, { open, close }] = useDisclosure(false);
  const [reloads, setReloads] = useState(0);
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
          <ManagedMark managed={managed} />
        </Group>
        {canEdit && !isEditing && (
          <Button
            ref={button}
            variant="default"
            size="xs"
            flex="none"
            leftSection={<IconPencil size={16} stroke={1.75} aria-hidden />}
            onClick={open}
          >
            {edit}
          </Button>
        )}
      </Group>
      <Paper withBorder radius="md" p="md" mt="sm" ref={content}>
        {isEditing ? (
          <Fragment key={reloads}>
            <ManagedWarning fields={managed ? [title] : []} />
            {renderForm({ onDone: close, onReload: () => setReloads(reloads + 1) })}
          </Fragment>
        ) : (
          children
        )}
      </Paper>
    </section>
  );
}
