import { ActionIcon, Menu } from "@mantine/core";
import { useClipboard, useDisclosure } from "@mantine/hooks";
import {
  IconArchive,
  IconArchiveOff,
  IconArrowRight,
  IconCopy,
  IconCopyPlus,
  IconDots,
  IconTrash,
} from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { EnrichedFlag } from "../../shared/api/types.ts";
import { CloneFlagModal } from "../../shared/flags/CloneFlagModal.tsx";
import { DeleteFlagModal } from "../../shared/flags/DeleteFlagModal.tsx";
import { useFlagLifecycle } from "../../shared/flags/use-flag-lifecycle.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";

const ICON = { size: 16, stroke: 1.75, "aria-hidden": true } as const;

export function FlagMenu({ flag }: { flag: EnrichedFlag }) {
  const { t } = useTranslation();
  const notify = useNotify();
  const clipboard = useClipboard();
  const canWrite = useCan("flag:write");
  const { archive, confirmUnarchive } = useFlagLifecycle();
  const [isDeleting, { open, close }] = useDisclosure(false);
  const [isCloning, { open: startCloning, close: endCloning }] = useDisclosure(false);
  const copyKey = () => {
    clipboard.copy(flag.key);
    notify.done(t("flagForms.keyCopied", { key: flag.key }));
  };

  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon size={28} aria-label={t("flagForms.actionsOf", { flag: flag.name })}>
            <IconDots size={18} stroke={1.75} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconArrowRight {...ICON} />}
            renderRoot={(props) => (
              <Link
                to="/projects/$projectId/flags/$flagId"
                params={{ projectId: flag.projectId, flagId: flag.id }}
                {...props}
              />
            )}
          >
            {t("flagForms.open")}
          </Menu.Item>
          <Menu.Item leftSection={<IconCopy {...ICON} />} onClick={copyKey}>
            {t("flags.copyKey")}
          </Menu.Item>
          {canWrite && (
            <Menu.Item leftSection={<IconCopyPlus {...ICON} />} onClick={startCloning}>
              {t("clone.open")}
            </Menu.Item>
          )}
          {canWrite && <Menu.Divider />}
          {canWrite && !flag.archived && (
            <Menu.Item leftSection={<IconArchive {...ICON} />} onClick={() => void archive(flag)}>
              {t("flagForms.archive")}
            </Menu.Item>
          )}
          {canWrite && flag.archived && (
            <>
              <Menu.Item
                leftSection={<IconArchiveOff {...ICON} />}
                onClick={() => void confirmUnarchive(flag)}
              >
                {t("flagForms.unarchive")}
              </Menu.Item>
              <Menu.Item color="red" leftSection={<IconTrash {...ICON} />} onClick={open}>
                {t("flagForms.deleteFlag")}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {isCloning && <CloneFlagModal flag={flag} opened onClose={endCloning} />}
      {isDeleting && <DeleteFlagModal flag={flag} opened onClose={close} />}
    </>
  );
}
