import { Group, Pagination } from "@mantine/core";
import { useEffect, useEffectEvent } from "react";
import { useFormat } from "../i18n/use-format.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { useIsNarrow } from "../ui/use-is-narrow.ts";

interface Props {
  /** The number of the current page of the list, starting at 1. */
  page: number;
  pages: number;
  /**
   * Called with the number of the page to open. `replace` is true if the current page no longer
   * exists. The opened page must then replace the missing page in the browser history.
   */
  onPage: (page: number, how: { replace: boolean }) => void;
  /** True if the current page has no items. Then the last page that has items opens. */
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

interface PageNumbersProps {
  page: number;
  pages: number;
  onPage: (page: number) => void;
}

function PageNumbers({ page, pages, onPage }: PageNumbersProps) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const isNarrow = useIsNarrow();
  return (
    <Pagination
      value={page}
      total={pages}
      onChange={onPage}
      siblings={isNarrow ? 0 : 1}
      size={isNarrow ? "sm" : "md"}
      getItemProps={(item) => ({
        "aria-label": t("common.pages.item", { page: number(item), pages: number(pages) }),
      })}
      getControlProps={(control) => ({ "aria-label": t(`common.pages.${control}`) })}
    />
  );
}
