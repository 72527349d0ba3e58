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
import { useCurrentProjectId } from "./navigation-pages.ts";
import type { PaletteItem } from "./palette-item.ts";

const SCHEMES = [
  ["light", IconSun],
  ["dark", IconMoon],
  ["auto", IconDeviceDesktop],
] as const;

/** The functions that open the dialogs of the palette's actions. */
export interface PaletteDialogs {
  onHelp: () => void;
  onNewFlag: () => void;
}

/** Returns the palette's actions that need no flag: new flag, theme, shortcuts and sign out. */
export function useGeneralActions({ onHelp, onNewFlag }: PaletteDialogs): readonly PaletteItem[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const projectId = useCurrentProjectId();
  const canCreate = useCan("flag:write");
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });

  return [
    ...(canCreate && projectId !== undefined
      ? [
          {
            id: "new-flag",
            label: t("flags.newFlag"),
            Icon: IconPlus,
            keys: "N",
            opensDialog: true,
            open: onNewFlag,
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
      open: onHelp,
    },
    { id: "sign-out", label: t("shell.signOut"), Icon: IconLogout, open: signOut },
  ];
}
