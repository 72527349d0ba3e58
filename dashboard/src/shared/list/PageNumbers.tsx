import { Pagination } from "@mantine/core";
import { useTranslation } from "../i18n/use-translation.ts";
import { useFormat } from "../i18n/use-format.ts";
import { useIsNarrow } from "../ui/use-is-narrow.ts";

interface Props {
  page: number;
  pages: number;
  onPage: (page: number) => void;
}

/** The buttons that open the pages of a list. */
export function PageNumbers({ page, pages, onPage }: Props) {
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
