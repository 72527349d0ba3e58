import { useBlocker } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useConfirm } from "./ui/use-confirm.tsx";

/**
 * Asks for confirmation before the user leaves a page with unsaved changes, by a link or by closing
 * the tab.
 */
export function useLeaveGuard(isDirty: boolean): void {
  const { t } = useTranslation();
  const confirm = useConfirm();
  useBlocker({
    disabled: !isDirty,
    enableBeforeUnload: true,
    shouldBlockFn: async ({ current, next }) => {
      // A link within the page, for example the skip link, does not leave the page.
      if (current.pathname === next.pathname && isSame(current.search, next.search)) return false;
      const isLeaving = await confirm({
        title: t("flag.leaveTitle"),
        children: t("flag.leaveText"),
        confirm: t("flag.leave"),
        isDangerous: true,
      });
      return !isLeaving;
    },
  });
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
