import { Group, Pagination } from "@mantine/core";
import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "../i18n/use-format.ts";
import { useIsNarrow } from "../ui/use-is-narrow.ts";

interface Props {
  /** The first is 1. */
  page: number;
  pages: number;
  /** `replace`: in the place of the page that is not there any more. */
  onPage: (page: number, how: { replace: boolean }) => void;
  /** The page has nothing: where the list has become shorter, the last page is shown instead. */
  isEmpty?: boolean;
}

/** The way to the other pages of a list; nothing where there is one page. */
export function ListPagination({ page, pages, onPage, isEmpty = false }: Props) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const isNarrow = useIsNarrow();
  const toLast = useEffectEvent(() => onPage(pages, { replace: true }));
  const isBeyond = isEmpty && pages > 0;
  // Once: on the way there the page may be drawn several times.
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
