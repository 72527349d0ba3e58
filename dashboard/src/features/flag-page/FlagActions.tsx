import { ActionIcon, Button, Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import {
  IconArchive,
  IconArchiveOff,
  IconCopyPlus,
  IconDots,
  IconTrash,
  type TablerIcon,
} from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import type { Flag } from "../../shared/api/types.ts";
import { CloneFlagModal } from "../../shared/flags/CloneFlagModal.tsx";
import { DeleteFlagModal } from "../../shared/flags/DeleteFlagModal.tsx";
import { useFlagLifecycle } from "../../shared/flags/use-flag-lifecycle.ts";
import { useIsNarrow } from "../../shared/ui/use-is-narrow.ts";

const ICON = { size: 16, stroke: 1.75, "aria-hidden": true } as const;

interface Action {
  readonly label: string;
  readonly Icon: TablerIcon;
  readonly onClick: () => void;
}

/** On a phone, one button opens a menu with these actions. */
export function FlagActions({ flag }: { flag: Flag }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { archive, confirmUnarchive } = useFlagLifecycle();
  const [isCloning, clone] = useDisclosure(false);
  const [isDeleting, deletion] = useDisclosure(false);
  const { projectId } = flag;
  const actions: readonly Action[] = [
    { label: t("clone.open"), Icon: IconCopyPlus, onClick: clone.open },
    ...(flag.archived
      ? [
          {
            label: t("flagForms.unarchive"),
            Icon: IconArchiveOff,
            onClick: () => void confirmUnarchive(flag),
          },
          { label: t("flagForms.deleteFlag"), Icon: IconTrash, onClick: deletion.open },
        ]
      : [{ label: t("flagForms.archive"), Icon: IconArchive, onClick: () => void archive(flag) }]),
  ];
  return (
    <>
      {useIsNarrow() ? (
        <ActionMenu label={t("flagForms.actionsOf", { flag: flag.name })} actions={actions} />
      ) : (
        actions.map(({ label, Icon, onClick }) => (
          <Button key={label} variant="default" leftSection={<Icon {...ICON} />} onClick={onClick}>
            {label}
          </Button>
        ))
      )}
      <CloneFlagModal key={flag.id} flag={flag} opened={isCloning} onClose={clone.close} />
      <DeleteFlagModal
        flag={flag}
        opened={isDeleting}
        onClose={deletion.close}
        onDeleted={() => void navigate({ to: "/projects/$projectId/flags", params: { projectId } })}
      />
    </>
  );
}

function ActionMenu({ label, actions }: { label: string; actions: readonly Action[] }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={label}>
          <IconDots {...ICON} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ label: name, Icon, onClick }) => (
          <Menu.Item key={name} leftSection={<Icon {...ICON} />} onClick={onClick}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
