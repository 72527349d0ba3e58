import { useBlocker } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useConfirm } from "./ui/use-confirm.tsx";

/** Asks before a page is left whose changes are not saved, for another one or with the browser. */
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
