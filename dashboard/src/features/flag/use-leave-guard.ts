import { useBlocker } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useConfirm } from "../../shared/ui/confirm.tsx";

/** Asks before what is unsaved is left: for another page, another environment, or the browser. */
export function useLeaveGuard(isDirty: boolean): void {
  const { t } = useTranslation();
  const confirm = useConfirm();
  useBlocker({
    disabled: !isDirty,
    enableBeforeUnload: true,
    shouldBlockFn: async ({ current, next }) => {
      // A jump within the page, such as to its content, leaves nothing.
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
