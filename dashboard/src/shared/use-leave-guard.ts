import { useBlocker } from "@tanstack/react-router";
import { useTranslation } from "./i18n/use-translation.ts";
import { useConfirm } from "./ui/use-confirm.tsx";

/**
 * Asks for confirmation when the user leaves the page (by a link, the back button, or closing the
 * tab) while the page has unsaved changes. The search parameter `tab` may change: it names a tab of
 * the page, and the page keeps its unsaved changes.
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
      const [from, to] = [current, next].map(({ search }) => withoutTab(search));
      if (current.pathname === next.pathname && isSame(from, to)) return false;
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

const withoutTab = (search: object) => ({ ...search, tab: undefined });

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
