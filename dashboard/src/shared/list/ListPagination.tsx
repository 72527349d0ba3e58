import { Group } from "@mantine/core";
import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "../i18n/use-translation.ts";
import { PageNumbers } from "./PageNumbers.tsx";

interface Props {
  /** The number of the current page of the list, starting at 1. */
  page: number;
  pages: number;
  /**
   * Called with the number of the page to open. `replace` is true if the current page no longer
   * exists. The opened page must then replace the missing page in the browser history.
   */
  onPage: (page: number, how: { replace: boolean }) => void;
  /**
   * True if the current page has no items. The component then opens the last page that has items.
   */
  isEmpty?: boolean;
}

/** The navigation between the pages of a list. Renders nothing if the list has only one page. */
export function ListPagination({ page, pages, onPage, isEmpty = false }: Props) {
  const { t } = useTranslation();
  const toLast = useEffectEvent(() => onPage(pages, { replace: true }));
  const isBeyond = isEmpty && pages > 0;
  // Open the last page in an effect. The effect runs only once, although the component may render
  // several times before the last page is open.
  useEffect(() => {
    if (isBeyond) toLast();
  }, [isBeyond]);
  if (pages <= 1) return null;
  return (
    <Group component="nav" aria-label={t("common.pages.label")} justify="center" mt="md">
      <PageNumbers
        page={page}
        pages={pages}
        onPage={(chosen) => onPage(chosen, { replace: false })}
      />
    </Group>
  );
}
