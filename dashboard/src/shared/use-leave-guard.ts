import { useBlocker } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useConfirm } from "./ui/use-confirm.tsx";

/**
 * Asks for confirmation when the user leaves the page (by a link, the back button, or closing the
 * tab) while the page has unsaved changes.
 */
export function useLeaveGuard(isDirty: boolean): void {
  const { t } = useTranslation();
  const confirm = useConfirm();
  useBlocker({
    disabled: !isDirty,
    enableBeforeUnload: true,
    shouldBlockFn: async ({ current, next }) => {
      // Do not ask for confirmation when the path and the search parameters stay the same, for
      // example after a click on the skip link.
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
