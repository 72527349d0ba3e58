import { ActionIcon, Menu } from "@mantine/core";
import { useClipboard, useDisclosure } from "@mantine/hooks";
import {
  IconArchive,
  IconArchiveOff,
  IconArrowRight,
  IconColumns2,
  IconCopy,
  IconCopyPlus,
  IconDots,
  IconHistory,
  IconPower,
  IconTrash,
} from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { EnrichedFlag } from "../../shared/api/types.ts";
import { CloneFlagModal } from "../../shared/flags/CloneFlagModal.tsx";
import { DeleteFlagModal } from "../../shared/flags/DeleteFlagModal.tsx";
import { useFlagSwitch } from "../../shared/flags/use-flag-switch.tsx";
import { useFlagLifecycle } from "../../shared/flags/use-flag-lifecycle.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";

const ICON = { size: 16, stroke: 1.75, "aria-hidden": true } as const;

/** The most environments that the menu can switch; the flag's page has all. */
const MAX_SWITCHES = 5;

export function FlagMenu({ flag }: { flag: EnrichedFlag }) {
  const { t } = useTranslation();
  const notify = useNotify();
  const clipboard = useClipboard();
  const canWrite = useCan("flag:write");
  const canSwitch = useCan("strategy:write") && !flag.archived;
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
          {flag.environments.length > 1 && (
            <Menu.Item
              leftSection={<IconColumns2 {...ICON} />}
              renderRoot={(props) => (
                <Link
                  to="/projects/$projectId/flags/$flagId"
                  params={{ projectId: flag.projectId, flagId: flag.id }}
                  search={{ view: "compare" }}
                  {...props}
                />
              )}
            >
              {t("flagForms.compare")}
            </Menu.Item>
          )}
          <Menu.Item
            leftSection={<IconHistory {...ICON} />}
            renderRoot={(props) => (
              <Link
                to="/projects/$projectId/flags/$flagId"
                params={{ projectId: flag.projectId, flagId: flag.id }}
                search={{ tab: "history" }}
                {...props}
              />
            )}
          >
            {t("flagForms.history")}
          </Menu.Item>
          {canSwitch && <Menu.Divider />}
          {canSwitch &&
            flag.environments
              .slice(0, MAX_SWITCHES)
              .map((environment) => (
                <SwitchItem key={environment.id} flag={flag} environment={environment} />
              ))}
          {canSwitch && <Menu.Divider />}
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

interface SwitchItemProps {
  flag: EnrichedFlag;
  environment: EnrichedFlag["environments"][number];
}

function SwitchItem({ flag, environment }: SwitchItemProps) {
  const { t } = useTranslation();
  const { isOn, switchTo } = useFlagSwitch({ flag, environment, strategy: environment.strategy });
  const words = { environment: environment.name };
  return (
    <Menu.Item leftSection={<IconPower {...ICON} />} onClick={() => void switchTo(!isOn)}>
      {isOn ? t("flagForms.turnOffIn", words) : t("flagForms.turnOnIn", words)}
    </Menu.Item>
  );
}
