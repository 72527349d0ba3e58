import { Group, Pagination } from "@mantine/core";
import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "../i18n/use-format.ts";
import { useIsNarrow } from "../ui/use-is-narrow.ts";

interface Props {
  /** Starts at 1. */
  page: number;
  pages: number;
  /**
   * `replace` is true when `page` does not exist any more, so that the browser history skips it.
   */
  onPage: (page: number, how: { replace: boolean }) => void;
  /** The page has no items. If the list has other pages, the last one is shown instead. */
  isEmpty?: boolean;
}

/** Page navigation of a list; renders nothing for a single page. */
export function ListPagination({ page, pages, onPage, isEmpty = false }: Props) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const isNarrow = useIsNarrow();
  const toLast = useEffectEvent(() => onPage(pages, { replace: true }));
  const isBeyond = isEmpty && pages > 0;
  // An effect, so that the navigation starts once although the page may render several times
  // meanwhile.
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
