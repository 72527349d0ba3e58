import { Group, Pagination } from "@mantine/core";
import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "../i18n/use-format.ts";
import { useIsNarrow } from "../ui/use-is-narrow.ts";

interface Props {
  /** The number of the current page, starting at 1. */
  page: number;
  pages: number;
  /**
   * Called with the page to open. `replace` is true if the current page no longer exists; the
   * browser history should not keep it then.
   */
  onPage: (page: number, how: { replace: boolean }) => void;
  /**
   * True if the current page has no items. If other pages exist, the last page is opened instead.
   */
  isEmpty?: boolean;
}

/** The navigation between the pages of a list. Renders nothing if there is only one page. */
export function ListPagination({ page, pages, onPage, isEmpty = false }: Props) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const isNarrow = useIsNarrow();
  const toLast = useEffectEvent(() => onPage(pages, { replace: true }));
  const isBeyond = isEmpty && pages > 0;
  // An effect runs only once, although the component may render several times before the other page
  // is open.
  useEffect(() => {
    if (isBeyond) toLast();
  }, [isBeyond]);
  if (pages <= 1) return null;
  return (
    <Group component="nav" aria-label={t("common.pages.label")} justify="center" mt="md">
      <Pagination
        value={page}
        total={pages}
        onChange={(chosen) => onPage(chosen, { replace: false })}
        siblings={isNarrow ? 0 : 1}
        size={isNarrow ? "sm" : "md"}
        getItemProps={(item) => ({
          "aria-label": t("common.pages.item", { page: number(item), pages: number(pages) }),
        })}
        getControlProps={(control) => ({ "aria-label": t(`common.pages.${control}`) })}
      />
    </Group>
  );
}
