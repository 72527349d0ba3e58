import { useMantineColorScheme } from "@mantine/core";
import {
  IconArrowsDiff,
  IconDeviceDesktop,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconPlus,
  IconSun,
} from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { signOut } from "../features/session/sign-out.ts";
import { useTranslation } from "../shared/i18n/use-translation.ts";
import { useCan } from "../shared/session/current-session.tsx";
import { clickWhenThere } from "./click-when-there.ts";
import { useCurrentProjectId } from "./navigation-pages.ts";
import type { PaletteItem } from "./palette-item.ts";
import { NEW_BUTTON } from "./shortcuts.ts";

const SCHEMES = [
  ["light", IconSun],
  ["dark", IconMoon],
  ["auto", IconDeviceDesktop],
] as const;

/** Returns the palette's actions that need no flag: new flag, theme, shortcuts and sign out. */
export function useGeneralActions(openHelp: () => void): readonly PaletteItem[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const projectId = useCurrentProjectId();
  const canCreate = useCan("flag:write");
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });

  const newFlag = async (id: number) => {
    await navigate({ to: "/projects/$projectId/flags", params: { projectId: id } });
    clickWhenThere(NEW_BUTTON);
  };
  return [
    ...(canCreate && projectId !== undefined
      ? [
          {
            id: "new-flag",
            label: t("flags.newFlag"),
            Icon: IconPlus,
            keys: "N",
            opensDialog: true,
            open: () => newFlag(projectId),
          },
        ]
      : []),
    ...(projectId === undefined
      ? []
      : [
          {
            id: "compare-environments",
            label: t("comparison.title"),
            Icon: IconArrowsDiff,
            open: () =>
              navigate({ to: "/projects/$projectId/environments/compare", params: { projectId } }),
          },
        ]),
    ...SCHEMES.map(([scheme, Icon]) => ({
      id: `theme-${scheme}`,
      label: `${t("shell.theme")}: ${t(`shell.${scheme}`)}`,
      Icon,
      open: () => setColorScheme(scheme),
    })),
    {
      id: "shortcuts",
      label: t("shell.shortcuts"),
      Icon: IconKeyboard,
      keys: "?",
      opensDialog: true,
      open: openHelp,
    },
    { id: "sign-out", label: t("shell.signOut"), Icon: IconLogout, open: signOut },
  ];
}
